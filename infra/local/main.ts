import { existsSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { loadEnvFile } from 'node:process';
import { SettingsError } from '../../shared/settings/load.ts';
import { banner } from './banner.ts';
import { startLocalHost } from './host.ts';
import { parseOptions, StartError, USAGE } from './options.ts';

/** The command line: start, say where it runs, stop when asked. */
export async function main(args: readonly string[]): Promise<void> {
  if (existsSync('.env')) loadEnvFile('.env');
  try {
    const options = parseOptions(args, process.env);
    if (options === 'help') return void process.stdout.write(USAGE);
    const host = await startLocalHost(options, { progress: (step) => console.log(`${step} …`), fatal: fail });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => void host.stop().then(() => process.exit(0), fail));
    }
    process.stdout.write(banner(host));
    flushCompileCache();
  } catch (error) {
    fail(error);
  }
}

/** What a person can mend is said in one sentence, everything else in full. */
function fail(error: unknown): never {
  const isExpected = error instanceof StartError || error instanceof SettingsError;
  console.error(isExpected ? error.message : error);
  process.exit(1);
}
