import type { Statement } from './requirement.ts';

export const signing = {
  'signing/own-documents': 'A user works with its own signing documents within its quota',
  'signing/link-token': 'A recipient opens a document through a link carrying a UUID token',
  'signing/link-one-time': 'A signing link works once',
  'signing/no-login': 'A recipient needs no account and no authentication',
  'signing/not-a-user': 'Inviting a recipient creates no user',
  'signing/email-otp': 'When the document owner enabled it, a recipient confirms an email OTP before signing',
  'signing/email-otp-off': 'Without that setting a recipient signs without an OTP',
} as const satisfies Record<string, Statement>;
