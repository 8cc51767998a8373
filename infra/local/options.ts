import { parseArgs } from 'node:util';

export interface LocalOptions {
  readonly port: number;
  /** Where data lives; undefined keeps it only as long as the host runs. */
  readonly dataDir: string | undefined;
  readonly demo: boolean;
}

/** Something the person at the keyboard can mend; shown as one sentence, without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

export const USAGE = `Usage: npm start -- [options]

  --port <number>   Port to listen on (default 3000, or PORT)
  --data <folder>   Where data is kept (default .local)
  --ephemeral       Keep nothing: a fresh, empty platform that is gone when it stops
  --demo            Start with a demo company and print its logins (only when ENV is dev)
  --help            Show this text
`;

export function parseOptions(args: readonly string[], environment: { readonly PORT?: string }): LocalOptions | 'help' {
  const { values } = readArgs(args);
  if (values.help) return 'help';
  const port = Number(values.port ?? environment.PORT ?? 3000);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new StartError(`The port ${values.port} is not a number from 0 to 65535.`);
  if (values.ephemeral && values.data) throw new StartError('--data and --ephemeral exclude each other.');
  return { port, dataDir: values.ephemeral ? undefined : (values.data ?? '.local'), demo: values.demo ?? false };
}

function readArgs(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: { type: 'string' },
        data: { type: 'string' },
        ephemeral: { type: 'boolean' },
        demo: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new StartError(`${error instanceof Error ? error.message : 'Unknown option'}\n\n${USAGE}`);
  }
}
