/** Every failure a caller can see: one code, one status. A code cannot exist without its status. */
export const STATUS = {
  invalid_request: 400,
  address_refused: 400,
  token_invalid: 400,
  unauthenticated: 401,
  token_expired: 401,
  token_revoked: 401,
  invalid_credentials: 401,
  signature_invalid: 401,
  otp_invalid: 401,
  otp_expired: 401,
  payment_required: 402,
  plan_limit_reached: 402,
  forbidden: 403,
  csrf_rejected: 403,
  account_disabled: 403,
  organization_suspended: 403,
  email_not_verified: 403,
  otp_required: 403,
  signup_disabled: 403,
  api_keys_disabled: 403,
  api_key_route_forbidden: 403,
  api_key_escalation: 403,
  role_not_assignable: 403,
  setup_key_invalid: 403,
  not_found: 404,
  model_not_found: 404,
  invite_invalid: 404,
  no_organization: 404,
  method_not_allowed: 405,
  conflict: 409,
  stale_version: 409,
  idempotency_conflict: 409,
  workflow_not_published: 409,
  email_taken: 409,
  company_code_taken: 409,
  account_in_other_org: 409,
  password_managed_externally: 409,
  api_key_limit: 409,
  last_admin: 409,
  already_member: 409,
  invite_pending: 409,
  name_taken: 409,
  already_initialized: 409,
  cannot_act_on_self: 409,
  sso_not_configured: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  rate_limited: 429,
  internal: 500,
  not_available: 501,
  plugin_failed: 502,
  upstream_failed: 502,
  dependency_unavailable: 503,
  upstream_timeout: 504,
  event_call_timeout: 504,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof STATUS;

/** One problem of an invalid body, in the shape clients of this API family read. */
export interface Problem {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}

export interface ErrorOptions {
  readonly cause?: unknown;
  /** Only for failures carried from an upstream, whose own status the caller should see. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Extra facts for the caller, merged into the error object (attempts left, which limit). */
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly problems?: readonly Problem[];
}

export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly problems: readonly Problem[] | undefined;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.status = options.status ?? STATUS[code];
    this.headers = options.headers ?? {};
    this.facts = options.facts ?? {};
    this.problems = options.problems;
  }
}

export const notFound = (what: string) => new AppError('not_found', `${what} not found`);
export const conflict = (message: string, options?: ErrorOptions) => new AppError('conflict', message, options);
export const forbidden = (message = 'You may not do this') => new AppError('forbidden', message);
export const unauthenticated = (message = 'Not authenticated') =>
  new AppError('unauthenticated', message, { headers: { 'www-authenticate': 'Bearer' } });

export const invalid = (problems: readonly Problem[]) =>
  new AppError('validation_failed', problems.map((p) => `${p.loc.join('.')}: ${p.msg}`).join('; '), { problems });

/** A single field that is wrong for a reason no schema can express. */
export const invalidField = (loc: Problem['loc'], msg: string, type = 'value_error') => invalid([{ type, loc, msg }]);

export const tooMany = (message: string, retryAfterSeconds: number, facts?: Record<string, unknown>) =>
  new AppError('rate_limited', message, {
    headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) },
    facts,
  });
