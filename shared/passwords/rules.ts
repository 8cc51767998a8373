import { AppError, invalidField } from '../errors.ts';
import type { Settings } from '../settings/variables.ts';
import { isCommonPassword, isMadeOf } from './blocklist.ts';

const MAX_LENGTH = 1024;

export interface PasswordContext {
  /** Where the password stands in the body, for the error. */
  readonly field?: string;
  /** Name, address, company: what the password must not be made of. */
  readonly words: readonly string[];
}

type RuleSettings = Pick<Settings, 'PASSWORD_MIN_LENGTH' | 'PASSWORD_BLOCKLIST' | 'SVC_NAME'>;

/** Length and a blocklist, and nothing else: composition rules make passwords worse. */
export function demandGoodPassword(password: string, settings: RuleSettings, context: PasswordContext): void {
  const problem = problemOf(password, settings, context);
  if (problem) throw problem;
}

function problemOf(password: string, settings: RuleSettings, context: PasswordContext): AppError | undefined {
  const loc = ['body', context.field ?? 'password'];
  const length = Array.from(password.normalize('NFC')).length;
  const { PASSWORD_MIN_LENGTH: min } = settings;
  if (length < min) return invalidField(loc, `The password needs at least ${min} characters`, 'password_too_short');
  if (length > MAX_LENGTH)
    return invalidField(loc, `The password may have at most ${MAX_LENGTH} characters`, 'password_too_long');
  if (!settings.PASSWORD_BLOCKLIST) return undefined;
  const words = [...context.words.flatMap(parts), settings.SVC_NAME];
  if (!isCommonPassword(password) && !isMadeOf(password, words)) return undefined;
  return invalidField(
    loc,
    'This password is too easy to guess; a few unrelated words make a good one',
    'password_common',
  );
}

/** An address counts by its parts: the name before the sign and the domain without its ending. */
const parts = (word: string) => (word.includes('@') ? [word, ...word.split('@')] : [word]);
