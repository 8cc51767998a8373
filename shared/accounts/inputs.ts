import * as z from 'zod';

/** Input shapes. Addresses are kept in lower case, and only passwords keep their spaces. */
export const Address = z.string().trim().toLowerCase().max(254).pipe(z.email('must be a mail address'));

export const PersonName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^\P{Cc}*$/u, 'must not contain control characters');

/** Length and quality are judged by the password rules, with errors of their own. */
export const NewPassword = z.string().max(4096);
export const GivenPassword = z.string().min(1).max(4096);
export const Token = z.string().min(1).max(200);
export const Code = z.string().trim().min(1).max(40);
