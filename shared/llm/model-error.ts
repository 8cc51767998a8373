import { isObject, numberAt, parseJson, stringAt } from './json-value.ts';

/** Why a model did not answer, free of any wire format. */
export interface ModelError {
  readonly status?: number;
  readonly message: string;
  readonly type: ErrorType;
}

const TYPE_OF_STATUS = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'timeout_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  503: 'overloaded_error',
  504: 'timeout_error',
  529: 'overloaded_error',
} as const satisfies Record<number, string>;

export type ErrorType = (typeof TYPE_OF_STATUS)[keyof typeof TYPE_OF_STATUS];

const LONGEST_MESSAGE = 2000;

/**
 * Reads an upstream's failure: the body of a refused request, or an error met in a stream (no status then).
 * The shapes of the formats do not overlap, so one reader serves them all.
 */
export function decodeError(body: unknown, status?: number): ModelError {
  const parsed = typeof body === 'string' ? (parseJson(body) ?? body) : body;
  const error = errorOf(parsed);
  const known = status ?? statusOf(error);
  return { ...(known && { status: known }), message: messageOf(error, known), type: typeOf(error, known) };
}

/** The error itself, out of the envelopes in use: {error:{…}}, {error:"…"}, {detail:…}, {message}, [{error}], text. */
function errorOf(body: unknown): unknown {
  if (Array.isArray(body)) return errorOf(body[0]);
  if (!isObject(body)) return body;
  return body.error ?? body.detail ?? body;
}

function messageOf(error: unknown, status: number | undefined): string {
  const said = typeof error === 'string' ? error : (stringAt(error, 'message') ?? stringAt(error, 'msg'));
  const text = said?.trim();
  if (text && !text.startsWith('<')) return text.slice(0, LONGEST_MESSAGE);
  return status ? `The model server answered with status ${status}` : 'The model server reported an error';
}

function statusOf(error: unknown): number | undefined {
  const code = numberAt(error, 'code') ?? numberAt(error, 'status');
  if (code && code >= 400 && code < 600) return code;
  return STATUS_OF_TYPE.get(stringAt(error, 'type') ?? '') ?? STATUS_OF_TYPE.get(stringAt(error, 'code') ?? '');
}

function typeOf(error: unknown, status: number | undefined): ErrorType {
  const named = ERROR_TYPES.find((type) => type === stringAt(error, 'type'));
  if (named) return named;
  if (status === undefined) return 'api_error';
  const exact = Object.entries(TYPE_OF_STATUS).find(([code]) => Number(code) === status);
  return exact?.[1] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
}

const ERROR_TYPES: readonly ErrorType[] = Object.values(TYPE_OF_STATUS);

const STATUS_OF_TYPE: ReadonlyMap<string, number> = new Map([
  ['invalid_request_error', 400],
  ['context_length_exceeded', 400],
  ['authentication_error', 401],
  ['invalid_api_key', 401],
  ['billing_error', 402],
  ['insufficient_quota', 429],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['model_not_found', 404],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['rate_limit_exceeded', 429],
  ['timeout_error', 504],
  ['overloaded_error', 503],
]);

/** A stream that broke off before the model said it was done. */
export const CUT_OFF: ModelError = {
  status: 502,
  message: 'The model server ended the stream before the answer was complete',
  type: 'api_error',
};

export const MALFORMED: ModelError = {
  status: 502,
  message: 'The model server sent something that is not the format it announced',
  type: 'api_error',
};

/** The error object of the chat-completions and responses formats. */
export const chatError = ({ message, type, status }: ModelError) => ({
  error: { message, type, param: null, code: status ?? null },
});

export const messagesError = ({ message, type }: ModelError) => ({ type: 'error', error: { type, message } });

export const runtimeError = ({ message }: ModelError) => ({ error: message });
