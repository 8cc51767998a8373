import { createHmac, hkdfSync } from 'node:crypto';
import type { Settings } from '../settings/variables.ts';

/** A keyed hash, so that a leaked table tells nothing about short codes or typed addresses. */
export type Pepper = (text: string) => string;

type PepperSettings = Pick<Settings, 'SVC_SECRET_KEY' | 'JWT_SECRET'>;

/** One key per purpose: what is hashed for one can never be replayed in another. */
export function createPepper(settings: PepperSettings, purpose: string): Pepper {
  const secret = settings.SVC_SECRET_KEY || settings.JWT_SECRET;
  const key = Buffer.from(hkdfSync('sha256', secret, 'atrium pepper', purpose, 32));
  return (text) => createHmac('sha256', key).update(text).digest('base64url');
}
