import { createHmac, randomBytes } from 'node:crypto';
import type { Millis } from '../time.ts';
import { isSame } from './cookies.ts';

/** Codes of authenticator apps (RFC 6238: SHA-1, 30 seconds, 6 digits: the only setting every app understands). */
const STEP_MS = 30_000;

export const newTotpSecret = () => base32(randomBytes(20));

/** The step whose code this is, one before or after now allowed; only later ones than the last used step count. */
export function matchingStep(secret: string, code: string, { now, after }: { now: Millis; after: number }) {
  const current = Math.floor(now / STEP_MS);
  const steps = [current, current - 1, current + 1].filter((step) => step > after);
  return steps.find((step) => isSame(code, totpCode(secret, step)));
}

export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0xf;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

export const otpauthUri = (secret: string, { issuer, account }: { issuer: string; account: string }) => {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=6&period=30`;
};

/** Ten codes of 80 bits for the day the phone is lost. */
export const newRecoveryCodes = () =>
  Array.from({ length: 10 }, () =>
    base32(randomBytes(10))
      .toLowerCase()
      .replaceAll(/.{4}(?=.)/g, '$&-'),
  );

export const plainRecoveryCode = (code: string) => code.toLowerCase().replaceAll(/[\s-]/g, '');

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function base32(bytes: Buffer) {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((part) => ALPHABET[Number.parseInt(part.padEnd(5, '0'), 2)]).join('');
}

function fromBase32(text: string) {
  const bits = text
    .split('')
    .map((sign) => ALPHABET.indexOf(sign).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
