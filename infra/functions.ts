import type { FamilySpec, JobSpec, Needs } from './resources.ts';

/** What of the platform becomes functions; the tests hand in a description of their own. */
export interface Description {
  readonly families: Readonly<Record<string, FamilySpec>>;
  readonly jobs: Readonly<Record<string, JobSpec>>;
}

export type FunctionKind = 'http' | 'stream' | 'job';

export interface FunctionSpec {
  /** Unique in the platform: the name of its bundle, its log group and its alarms. */
  readonly name: string;
  readonly kind: FunctionKind;
  readonly entry: string;
  /** The export of the entry that becomes the bundle's `handler`. */
  readonly exported: 'handler' | 'streamHandler';
  readonly needs: Needs;
  readonly memory: number;
  readonly timeout: number;
  readonly assets: Readonly<Record<string, string>>;
  readonly browser?: Readonly<Record<string, string>>;
}

export interface JobFunction extends FunctionSpec {
  readonly source: JobSpec['source'];
}

/** The gateway gives up after 30 s; stopping just before lets the failure show in our own log. */
const LONGEST_BUFFERED = 29;

export function functionsOf(description: Description): readonly FunctionSpec[] {
  const specs = [...httpFunctions(description), ...streamFunctions(description), ...jobFunctions(description)];
  const names = new Set<string>();
  for (const { name } of specs) {
    if (names.has(name))
      throw new Error(`Two functions are called ${name}: rename one in infra/family-list.ts or infra/job-list.ts`);
    names.add(name);
  }
  return specs;
}

export const httpFunctions = ({ families }: Description) =>
  familyFunctions(families, 'http').map((spec) => ({ ...spec, timeout: Math.min(spec.timeout, LONGEST_BUFFERED) }));

export const streamFunctions = ({ families }: Description) => familyFunctions(families, 'stream');

export const jobFunctions = ({ jobs }: Description): readonly JobFunction[] =>
  Object.entries(jobs).map(([name, job]) => ({
    name,
    kind: 'job',
    entry: job.entry,
    exported: 'handler',
    needs: job,
    memory: job.memory,
    timeout: job.timeout,
    source: job.source,
    assets: {},
  }));

export const streamFunctionName = (family: string) => `${family}-stream`;

const familyFunctions = (families: Description['families'], transport: 'http' | 'stream'): readonly FunctionSpec[] =>
  Object.entries(families)
    .filter(([, family]) => hasRoutes(family, transport))
    .map(([name, family]) => ({
      name: transport === 'stream' ? streamFunctionName(name) : name,
      kind: transport,
      entry: `functions/${name}/handler.ts`,
      exported: transport === 'stream' ? 'streamHandler' : 'handler',
      needs: family,
      memory: family.memory,
      timeout: family.timeout,
      assets: family.assets ?? {},
      browser: family.browser,
    }));

export const hasRoutes = (family: FamilySpec, transport: 'http' | 'stream') =>
  Object.values(family.routes).some((route) => (route.transport ?? 'http') === transport);
