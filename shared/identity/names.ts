/** The `typ` of our login tokens: it keeps them apart from everything else that is a JWT. */
export const TOKEN_TYPE = 'at+jwt';
export const LOGIN_COOKIE = 'token';
