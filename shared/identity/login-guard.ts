import { takeByAddress } from '../throttle/by-address.ts';
import { addressClass } from '../throttle/address-class.ts';
import type { Rule, Taken, Throttle } from '../throttle/throttle.ts';
import type { LoginCookies } from './cookies.ts';
import type { RequestHeaders } from '../http/request.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const YEAR = 365 * 24 * HOUR;

/** Failures by account, by account and place, and by place. Keys are made of what was typed, so unknown addresses lock the same way. */
const RULES = {
  place: { kind: 'login-place', limit: 100, windowMs: 15 * MINUTE },
  pair: { kind: 'login-pair', limit: 5, windowMs: 5 * MINUTE },
  account: { kind: 'login-account', limit: 10, windowMs: 15 * MINUTE, longestMs: HOUR },
  /** In a row, whenever they were; then only a new password helps. */
  total: { kind: 'login-total', limit: 100, windowMs: YEAR },
  device: { kind: 'login-device', limit: 10, windowMs: 15 * MINUTE },
} as const satisfies Record<string, Rule>;

/** Where the try comes from. */
interface Origin {
  readonly ip: string;
  readonly headers: RequestHeaders;
}

/** Users and operators have counters of their own: operators' addresses are entered with `operatorSubject`. */
export interface LoginGuard {
  /** Counts this try before it is made, or throws 429. */
  enter(typed: string, origin: Origin): Promise<Entered>;
  /** The account is its owner's again: counters that lock it start afresh, also those of these places. */
  unlock(address: string, places: readonly string[]): Promise<void>;
}

export interface Entered {
  /** It was no failure after all. */
  succeeded(): Promise<void>;
}

/** The same address may belong to a user and to an operator; neither can lock the other out. */
export const operatorSubject = (address: string) => `operator ${address}`;

export const createLoginGuard = (throttle: Throttle, cookies: LoginCookies): LoginGuard => ({
  async enter(typed, origin) {
    const place = await takeByAddress(throttle, RULES.place, origin.ip);
    const device = cookies.knownDevice(origin.headers, typed);
    return device ? fromKnownDevice(throttle, device, place) : fromAnywhere(throttle, { typed, origin, place });
  },
  async unlock(address, places) {
    const pairs = new Set(places.map((place) => pairOf(address, place)));
    await Promise.all([
      ...[RULES.account, RULES.total].map(({ kind }) => throttle.clear(kind, address)),
      ...[...pairs].map((pair) => throttle.clear(RULES.pair.kind, pair)),
    ]);
  },
});

const pairOf = (typed: string, ip: string) => JSON.stringify([typed, addressClass(ip)]);

/** Strangers' failures do not count against a browser that has been in before; it has a small budget of its own. */
async function fromKnownDevice(throttle: Throttle, device: string, place: Taken): Promise<Entered> {
  await throttle.take(RULES.device, device);
  return {
    succeeded: async () => void (await Promise.all([throttle.clear(RULES.device.kind, device), place.refund()])),
  };
}

interface Try {
  readonly typed: string;
  readonly origin: Origin;
  readonly place: Taken;
}

/** The narrowest first: what one place has used up must not go on eating the account's own budget. */
async function fromAnywhere(throttle: Throttle, { typed, origin, place }: Try): Promise<Entered> {
  const subjects = [
    [RULES.pair, pairOf(typed, origin.ip)],
    [RULES.account, typed],
    [RULES.total, typed],
  ] as const;
  for (const [rule, subject] of subjects) await throttle.take(rule, subject);
  return {
    async succeeded() {
      const cleared = subjects.map(([rule, subject]) => throttle.clear(rule.kind, subject));
      await Promise.all([...cleared, place.refund()]);
    },
  };
}
