import { randomBytes, randomUUID } from 'node:crypto';

export const newId = (): string => randomUUID();
/** Node keeps random numbers ready for these; asking for fresh ones would cost more than routing the request. */
export const newRequestId = (): string => `req_${randomUUID().replaceAll('-', '')}`;

/** Unguessable text for links and secrets: 32 bytes unless told otherwise. */
export const newSecret = (bytes = 32): string => randomBytes(bytes).toString('base64url');
