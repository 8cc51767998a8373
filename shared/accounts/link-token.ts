import { createHash } from 'node:crypto';

/** Tokens in links are stored only as this; 256 random bits need no salt. */
export const hashToken = (token: string) => createHash('sha256').update(token).digest('hex');

/** Links are built from our own address, with the token where no server and no log ever sees it. */
export const pageLink = (svcUrl: string, page: string, token: string) => `${svcUrl}/account/${page}#token=${token}`;

export const signInLink = (svcUrl: string) => `${svcUrl}/account/sign-in`;
