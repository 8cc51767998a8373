import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';

export interface FunctionIdentity {
  readonly functionName: string;
  /** Seconds the function may run. */
  readonly timeout: number;
  readonly memory?: number;
}

/** What Lambda hands to a function beside the event. */
export function createLambdaContext({ functionName, timeout, memory = 512 }: FunctionIdentity): Context {
  const deadline = performance.now() + timeout * 1000;
  const awsRequestId = randomUUID();
  return {
    awsRequestId,
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:us-east-1:000000000000:function:${functionName}`,
    memoryLimitInMB: String(memory),
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: awsRequestId,
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, Math.round(deadline - performance.now())),
    done: () => {},
    fail: () => {},
    succeed: () => {},
  };
}

/** Lambda would kill a function at its time limit. Here it can only be given up: its result no longer counts. */
export async function runWithin<T>(seconds: number, run: () => T | Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Task timed out after ${seconds} seconds`)), seconds * 1000);
  });
  try {
    return await Promise.race([Promise.resolve().then(run), limit]);
  } finally {
    clearTimeout(timer);
  }
}
