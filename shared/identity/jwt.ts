/** Only what is used here, so that the rest of the library is left out of what a function loads. */
export { jwtVerify, SignJWT } from 'jose';
