import type { MiddlewareObj } from '@middy/core';
import { log } from '../log.ts';

/** What every Lambda entry shares: the start and the failure of an invocation are visible, with its id. */
export const lambdaOnion = (): MiddlewareObj => ({
  before: ({ context }) => {
    log.debug('invocation', { requestId: context.awsRequestId });
  },
  onError: ({ error, context }) => {
    log.error('invocation failed', { requestId: context.awsRequestId, error });
  },
});
