import type { TestProject } from 'vitest/node';
import { spawnHost, type HostInfo } from './spawn-host.ts';

declare module 'vitest' {
  interface ProvidedContext {
    hosts: HostInfo[];
  }
}

/** One ephemeral host per test worker, started once: tests speak to it over real HTTP and make their own users. */
export async function setup(project: TestProject) {
  const hosts = await Promise.all(Array.from({ length: project.config.maxWorkers }, () => spawnHost()));
  project.provide(
    'hosts',
    hosts.map(({ url, pid, dataDir, endpoints }) => ({ url, pid, dataDir, endpoints })),
  );
  return async () => {
    await Promise.all(hosts.map((host) => host.stop()));
  };
}
