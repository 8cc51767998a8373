import type { Connection } from '../connections/connection.ts';

/** Those that an operator has tagged: nobody else is asked for remote pipelines. */
export const pipelineServers = (usable: readonly Connection[]) =>
  usable.filter(({ tags }) => tags.includes('pipelines'));
