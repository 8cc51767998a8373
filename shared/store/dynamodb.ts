import { AppError } from '../errors.ts';
import { AwsError } from '../aws/client.ts';
import { createJsonClient } from '../aws/json.ts';

/** The one DynamoDB connection of a process. */
export const dynamodb = createJsonClient('dynamodb', { targetPrefix: 'DynamoDB_20120810', version: '1.0' });

/** A write whose condition did not hold; carries the row that stood in its way. */
export class ConditionFailed extends Error {
  override readonly name = 'ConditionFailed';
  /** The label of the operation within a transaction, or the table of a single write. */
  readonly what: string;
  readonly existing: Readonly<Record<string, unknown>> | undefined;

  constructor(what: string, existing: Record<string, unknown> | undefined) {
    super(`The condition on ${what} did not hold`);
    this.what = what;
    this.existing = existing;
  }
}

export const isCode = (error: unknown, code: string): error is AwsError =>
  error instanceof AwsError && error.code === code;

/** Turns a failed condition into the family's own error; anything else goes on as it is. */
export const orElse =
  (failure: (failed: ConditionFailed) => AppError) =>
  (error: unknown): never => {
    throw error instanceof ConditionFailed ? failure(error) : error;
  };
