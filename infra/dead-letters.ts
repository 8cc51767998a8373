import { type Description, jobFunctions } from './functions.ts';
import { QUEUES } from './resources.ts';

export const deadLettersOf = (source: string) => `${source}-dead`;

/** Sources of dead letters that are no queue: rules of the bus, schedules, and each job that follows a table. */
export const BUS = 'bus';
export const SCHEDULES = 'schedules';
export const streamOf = (job: string) => `${job}-stream`;

/** Every dead-letter queue of the platform, so that each one is watched. */
export const deadLetterQueues = (description: Description): readonly string[] =>
  [
    ...Object.keys(QUEUES),
    BUS,
    SCHEDULES,
    ...jobFunctions(description)
      .filter(({ source }) => 'table' in source)
      .map(({ name }) => streamOf(name)),
  ].map(deadLettersOf);
