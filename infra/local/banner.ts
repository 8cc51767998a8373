import type { LocalHost } from './host.ts';

/** What a person needs to know once it runs: where it is and what to try. */
export function banner({ url, settings, folder, demo }: LocalHost): string {
  const isDev = settings.ENV === 'dev';
  const lines = [
    '',
    `  ${settings.SVC_NAME} is running at ${url}`,
    '',
    ...(isDev ? [`  API documentation   ${url}/docs`, `  Mailbox             ${url}/dev/mailbox`] : []),
    `  Data                ${folder.isEphemeral ? 'kept only while this runs' : folder.path}`,
    `  ENV                 ${settings.ENV}${isDev ? ' (documentation and mailbox are open; set ENV=prod to close them)' : ''}`,
    ...(folder.generated.length
      ? [`  Generated           ${folder.generated.join(', ')} in ${folder.path}/secrets.json`]
      : []),
    '',
    ...(demo.length ? ['  Demo', ...demo.map((line) => `    ${line}`)] : [`  Try:  curl ${url}/health`]),
    '  Stop: Ctrl-C',
    '',
  ];
  return `${lines.join('\n')}\n`;
}
