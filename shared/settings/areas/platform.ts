import { address, flag, list, number, oneOf, text } from '../variable.ts';

export const platform = {
  ENV: oneOf(
    'prod',
    'dev',
    'test',
  )('prod', 'What this installation is for; `dev` opens the documentation pages and the local mailbox.'),
  SVC_NAME: text('Atrium', 'The name shown to people in pages and mails.'),
  SVC_URL: address(
    'http://localhost:3000',
    'External address of this installation; links, cookies and tokens are bound to it.',
  ),
  BUILD_CHANNEL: oneOf('release', 'prerelease')(
    'release',
    'Selects whether outlet filters run inline (prerelease) or only by `/api/chat/completed` (release).',
  ),
  LOG_LEVEL: oneOf('debug', 'info', 'warn', 'error')('info', 'How much is logged.'),
  DEFAULT_LOCALE: text('', 'Language that clients start in; empty lets the client decide.'),
  CORS_ALLOW_ORIGIN: list(
    ['*'],
    'Origins that browsers may call from, separated by `;`. `*` means any, without cookies.',
  ),
  TRUSTED_PROXY_HOPS: number({ min: 0, max: 10 })(
    0,
    'How many proxies in front of the local host may be believed in `X-Forwarded-For`.',
  ),
  ENABLE_PERSISTENT_CONFIG: flag(true, 'Settings saved in the database win over the environment.'),
  ORIGIN_SECRET: text(
    '',
    'Shared between the distribution and the streaming functions, so that nobody gets around it.',
    { secret: true },
  ),
  SEAL_LOCAL_KEY: text('', 'Base64 key of 32 bytes that seals secrets at rest where no KMS key is configured.', {
    secret: true,
  }),
  SMTP_URL: text(
    '',
    'Mail server such as `smtps://user:password@mail.example:465`; empty sends by SES, or to the local mailbox on the local host.',
    { secret: true },
  ),
  MAIL_FROM: text('Atrium <no-reply@localhost>', 'Sender of every mail.'),
  OUTBOUND_ALLOWED_HOSTS: list(
    [],
    'Private host names, or addresses, that outbound requests may reach in spite of the guard.',
  ),
};
