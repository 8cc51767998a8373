import { loadEnvFile } from 'node:process';
import { existsSync } from 'node:fs';
import { banner } from '../infra/local/banner.ts';
import { startLocalHost } from '../infra/local/host.ts';
import { parseOptions, StartError, USAGE } from '../infra/local/options.ts';
import { SettingsError } from '../shared/settings/load.ts';

function fail(error: unknown): never {
  const isExpected = error instanceof StartError || error instanceof SettingsError;
  console.error(isExpected ? error.message : error);
  process.exit(1);
}

if (existsSync('.env')) loadEnvFile('.env');
try {
  const options = parseOptions(process.argv.slice(2), process.env);
  if (options === 'help') process.stdout.write(USAGE);
  else {
    const host = await startLocalHost(options, { progress: (step) => console.log(`${step} …`), fatal: fail });
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => void host.stop().then(() => process.exit(0), fail));
    process.stdout.write(banner(host));
  }
} catch (error) {
  fail(error);
}
