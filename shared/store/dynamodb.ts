import { AppError } from '../errors.ts';
import { AwsError } from '../aws/client.ts';
import { createJsonClient, type Operate } from '../aws/json.ts';

const send = createJsonClient('dynamodb', { targetPrefix: 'DynamoDB_20120810', version: '1.0' });

/** The one DynamoDB connection of a process. */
export const dynamodb: Operate = (operation, input) =>
  watchers.length > 0 && WRITES.test(operation) ? watched(send(operation, input), input) : send(operation, input);

const WRITES = /^(Put|Update|Delete|BatchWrite|TransactWrite)/;
const watchers: ((request: object) => void)[] = [];

/** Tells of every write of this process, as soon as it is sent and again when its outcome is known. */
export const onWrite = (watcher: (request: object) => void) => void watchers.push(watcher);

function watched<T>(writing: Promise<T>, request: object): Promise<T> {
  const tell = () => watchers.forEach((watcher) => watcher(request));
  tell();
  return writing.finally(tell);
}

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

/** Whether the condition of a write held; whatever else goes wrong is thrown. */
export async function holds(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}
