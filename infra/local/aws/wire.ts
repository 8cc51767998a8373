import type { IncomingHttpHeaders } from 'node:http';
import * as z from 'zod';

export interface AwsCall {
  readonly method: string;
  /** Raw path, still percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Aborted when the caller hangs up or the host stops. */
  readonly signal: AbortSignal;
}

/** What an operation answers becomes the JSON body; undefined is an empty one. */
export type Operation = (input: unknown, call: AwsCall) => unknown;

/** A service with one address and the operation named in a header. */
export interface TargetService {
  /** The part of `X-Amz-Target` before the dot. */
  readonly target: string;
  readonly version: '1.0' | '1.1';
  readonly operations: Readonly<Record<string, Operation>>;
  /** The fault for a malformed input. */
  readonly invalid: string;
  /** Old error names SQS still sends in a header, by fault. */
  readonly legacyCodes?: Readonly<Record<string, string>>;
}

/** A service with a path per operation. */
export interface PathService {
  readonly routes: readonly PathRoute[];
  readonly invalid: string;
}

export interface PathRoute {
  readonly method: string;
  readonly path: RegExp;
  /** Groups of `path`, decoded. */
  readonly run: (params: readonly string[], call: AwsCall) => unknown;
}

/** An operation with its input parsed. */
export const operation =
  <S extends z.ZodType>(schema: S, run: (input: z.output<S>, call: AwsCall) => unknown): Operation =>
  (input, call) =>
    run(schema.parse(input), call);

export const readJson = (body: Buffer): unknown => (body.length === 0 ? {} : JSON.parse(body.toString('utf8')));
