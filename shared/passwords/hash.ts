import { createHmac } from 'node:crypto';
import { compare, getRounds, hash } from 'bcryptjs';

/** Stores passwords as bcrypt and nothing else, and answers as slowly for people who do not exist. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Without a stored hash the same work is done and the answer is no. */
  matches(password: string, stored: string | null | undefined): Promise<boolean>;
  /** True when the hash was made with another work factor than today's. */
  isOutdated(stored: string): boolean;
}

export const createPasswords = (cost: number): Passwords => ({
  hash: (password) => hash(bcryptInput(password), cost),
  async matches(password, stored) {
    const isMatch = await compare(bcryptInput(password), stored ?? nobodysHash(cost));
    return isMatch && Boolean(stored);
  },
  isOutdated: (stored) => getRounds(stored) !== cost,
});

const BCRYPT_BYTES = 72;

/**
 * bcrypt silently drops everything past 72 bytes, so longer passwords are condensed first. The key only separates our
 * digests from other sites' leaked ones; it is fixed, because a rotated secret would lock people out.
 */
function bcryptInput(password: string) {
  const text = password.normalize('NFC');
  if (Buffer.byteLength(text) <= BCRYPT_BYTES) return text;
  return createHmac('sha384', 'atrium long password').update(text).digest('base64');
}

/** A well-formed hash of nothing: bcrypt works through it at the same cost as through a real one. */
const nobodysHash = (cost: number) =>
  `$2b$${String(cost).padStart(2, '0')}$abcdefghijklmnopqrstuuQ3uO1cNnzJxGmCvE9p0T7h5fWkYd2Ri`;
