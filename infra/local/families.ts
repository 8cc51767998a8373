import type { Endpoint } from '../../shared/http/api.ts';
import { FAMILIES } from '../family-list.ts';
import { JOBS } from '../job-list.ts';
import type { JobSpec } from '../resources.ts';

/** A Lambda handler as the event sources call it. */
export type JobHandler = (event: unknown, context: unknown) => Promise<unknown>;

/** The very modules that are deployed; they read the environment this host has just set. */
export async function loadEndpoints(): Promise<Endpoint[]> {
  const modules = await Promise.all(
    Object.keys(FAMILIES).map(
      (name) => import(`../../functions/${name}/handler.ts`) as Promise<{ endpoints: Endpoint[] }>,
    ),
  );
  return modules.flatMap((module) => module.endpoints);
}

export interface LoadedJob {
  readonly name: string;
  readonly spec: JobSpec;
  readonly handler: JobHandler;
}

export const loadJobs = (): Promise<LoadedJob[]> =>
  Promise.all(
    Object.entries<JobSpec>(JOBS).map(async ([name, spec]) => {
      const { handler } = (await import(`../../${spec.entry}`)) as { handler: JobHandler };
      return { name, spec, handler };
    }),
  );
