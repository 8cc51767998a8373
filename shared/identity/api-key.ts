import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `sk-`, 32 random characters (190 bits) and 6 of checksum, so a typo is refused without a look-up and scanners can find leaks. */
export function newApiKey(): string {
  const secret = Array.from({ length: 32 }, () => ALPHABET[randomInt(62)]).join('');
  return `sk-${secret}${checksum(secret)}`;
}

/** False only for keys of our own length whose checksum is wrong; other `sk-` keys are looked up by their hash. */
export const isPlausibleKey = (key: string) =>
  key.startsWith('sk-') && (key.length !== 41 || checksum(key.slice(3, 35)) === key.slice(35));

export const hashApiKey = (key: string) => hash('sha256', key);

function checksum(secret: string) {
  let rest = crc32(secret);
  let out = '';
  for (let i = 0; i < 6; i += 1) {
    out = `${ALPHABET[rest % 62]}${out}`;
    rest = Math.floor(rest / 62);
  }
  return out;
}
