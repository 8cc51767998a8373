import type * as z from 'zod';
import type { ErrorCode } from '../errors.ts';
import type { Access, ActorFor } from '../identity/actor.ts';
import type { HttpRequest } from './request.ts';
import type { Answered } from './streamed.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** `http` answers are buffered (30 s, 6 MB); `stream` answers run on a function URL and may take minutes. */
export type Transport = 'http' | 'stream';

/**
 * How the request body reaches the schema. `exactJson` keeps numbers as they were written, for what is only passed on;
 * `bytes` hands the handler a Uint8Array and takes no schema.
 */
export type BodyType = 'json' | 'exactJson' | 'form' | 'multipart' | 'bytes';

/** One row of a family's contract. Pure data: the router, OpenAPI, the gateway and the tests are loops over it. */
export interface Route {
  readonly method: Method;
  /** `{name}` is one segment, `{name+}` the rest of the path. */
  readonly path: `/${string}`;
  readonly auth: Access;
  readonly summary: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly bodyType?: BodyType;
  /** Smaller than the platform's limit of 6 MB when given. */
  readonly maxBody?: number;
  /** Without it the handler answers with a `Response` of its own, or with nothing (204). */
  readonly returns?: z.ZodType;
  readonly status?: number;
  /** The route may also answer with a stream (an `Answered`) instead of the value. */
  readonly mayStream?: true;
  readonly errors?: readonly ErrorCode[];
  readonly transport?: Transport;
  /**
   * The handler may begin while the tables are asked whether its caller is still who they were a moment ago. It must
   * await `confirmed` before it answers or changes anything.
   */
  readonly isEager?: true;
  /** Endpoints in a format of their own render the same errors in that format's shape. */
  readonly errorStyle?: 'messages' | 'runtime';
}

export type Routes = Readonly<Record<string, Route>>;

export const defineRoutes = <const R extends Routes>(routes: R): R => routes;

type ParamNames<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Greedy}+` ? Greedy : Name) | ParamNames<Rest>
  : never;

/** What the edge knows about a request besides the request itself. */
export interface Connection {
  readonly requestId: string;
  readonly ip: string;
  /** Work that goes on after the answer; the host keeps the process alive for it. */
  waitUntil(work: Promise<unknown>): void;
}

type Parsed<S, Otherwise> = S extends z.ZodType ? z.output<S> : Otherwise;

export interface Context<R extends Route> extends Connection {
  readonly actor: ActorFor<R['auth']>;
  readonly params: { readonly [K in ParamNames<R['path']>]: string };
  readonly query: Parsed<R['query'], Record<never, never>>;
  readonly body: R extends { readonly bodyType: 'bytes' } ? Uint8Array<ArrayBuffer> : Parsed<R['body'], undefined>;
  readonly request: HttpRequest;
  readonly confirmed: Promise<void>;
}

const REPLY = Symbol('reply');

/** A value with a status or headers of its own, for the few routes that need them (cookies, 207, Location). */
export interface Reply<T> {
  readonly [REPLY]: true;
  readonly value: T;
  readonly init: { readonly status?: number; readonly headers?: ResponseInit['headers'] };
}

export const reply = <T>(value: T, init: Reply<T>['init']): Reply<T> => ({ [REPLY]: true, value, init });
export const isReply = (value: unknown): value is Reply<unknown> =>
  typeof value === 'object' && value !== null && REPLY in value;

type Answer<R extends Route> = R['returns'] extends z.ZodType
  ? z.input<R['returns']> | Reply<z.input<R['returns']>> | (R extends { readonly mayStream: true } ? Answered : never)
  : Answered | undefined | void;

export type Handlers<R extends Routes> = {
  readonly [K in keyof R]: (context: Context<R[K]>) => Answer<R[K]> | Promise<Answer<R[K]>>;
};
