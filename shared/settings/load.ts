import { secretsManager, ssm } from '../aws/services.ts';
import { configureLog } from '../log.ts';
import { fromEnvironment } from './environment.ts';
import { ADDRESS_PARAMETER, SETTINGS_SECRET } from './names.ts';
import { VARIABLES, type SettingName, type Settings } from './variables.ts';

export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The settings are not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

let loaded: Promise<Settings> | undefined;

/** Once per process: the environment, and in the cloud one secret that holds the rest as JSON. */
export const loadSettings = (): Promise<Settings> => (loaded ??= readAll());

async function readAll() {
  const [address, secret] = await Promise.all([readAddress(), readSecret()]);
  const stored = { ...address, ...secret };
  const settings = parseSettings((name) => fromEnvironment(name) ?? stored[name]);
  configureLog({ level: settings.LOG_LEVEL });
  return settings;
}

/** Malformed settings refuse to start, with every problem listed at once. */
export function parseSettings(read: (name: SettingName) => string | undefined): Settings {
  const problems: string[] = [];
  const entries = Object.entries(VARIABLES).map(([name, variable]) => {
    const raw = read(name as SettingName);
    if (raw === undefined || raw === '') {
      if (variable.isRequired) problems.push(`${name} is required: ${variable.meaning}`);
      return [name, variable.fallback];
    }
    try {
      return [name, variable.parse(raw)];
    } catch (error) {
      problems.push(`${name} ${error instanceof Error ? error.message : 'is malformed'}`);
      return [name, variable.fallback];
    }
  });
  const settings = Object.fromEntries(entries) as Settings;
  problems.push(...contradictions(settings));
  if (problems.length > 0) throw new SettingsError(problems);
  return settings;
}

/** What no single variable can see. */
function contradictions(settings: Settings) {
  const problems: string[] = [];
  if (settings.BCRYPT_COST < 10 && settings.ENV === 'prod')
    problems.push('BCRYPT_COST below 10 is never for production');
  if (settings.SVC_AUTH_COOKIE_SAME_SITE === 'none' && !settings.SVC_AUTH_COOKIE_SECURE) {
    problems.push('SVC_AUTH_COOKIE_SAME_SITE=none needs SVC_AUTH_COOKIE_SECURE=true');
  }
  return problems;
}

async function readSecret(): Promise<Partial<Record<string, string>>> {
  const SecretId = fromEnvironment(SETTINGS_SECRET);
  if (!SecretId) return {};
  const { SecretString } = await secretsManager<{ SecretString: string }>('GetSecretValue', { SecretId });
  return JSON.parse(SecretString) as Record<string, string>;
}

/** Without a domain of its own an installation learns its address only after it is deployed. */
async function readAddress(): Promise<Partial<Record<string, string>>> {
  const Name = fromEnvironment(ADDRESS_PARAMETER);
  if (!Name) return {};
  const { Parameter } = await ssm<{ Parameter: { Value: string } }>('GetParameter', { Name });
  return { SVC_URL: Parameter.Value };
}
