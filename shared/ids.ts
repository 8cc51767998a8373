import { randomBytes, randomUUID } from 'node:crypto';

export const newId = (): string => randomUUID();
export const newRequestId = (): string => `req_${randomBytes(12).toString('base64url')}`;

/** Unguessable text for links and secrets: 32 bytes unless told otherwise. */
export const newSecret = (bytes = 32): string => randomBytes(bytes).toString('base64url');
