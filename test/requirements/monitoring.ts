import type { Statement } from './requirement.ts';

export const monitoring = {
  'monitoring/model-check': 'The authenticated model-list check reports whether models are available',
  'monitoring/deep-check': 'The deep check sends a real completion and reports its failure',
  'monitoring/health-interval': 'The health check runs every 60 seconds with 3 retries',
  'monitoring/model-interval': 'The model check runs every 300 seconds',
} as const satisfies Record<string, Statement>;
