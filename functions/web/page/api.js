/** A refusal of the service, in its own words. */
export class ApiError extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/**
 * Calls the interface as any client would. The login cookie goes along by itself and cannot be read here, so there is
 * no token in this page that could be stolen.
 * @param {{ onSignedOut: () => void }} parts
 */
export function createApi({ onSignedOut }) {
  /**
   * `await ask('POST /api/v1/chats/new', { chat })`
   * @param {string} target
   * @param {unknown} [body]
   */
  return async function ask(target, body, headers = {}) {
    const [method, path] = target.split(' ');
    const answer = await send(path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const value = parse(text);
    if (answer.ok) return value;
    const error = new ApiError(answer.status, value?.error?.code ?? '', reasonOf(value));
    if (SIGNED_OUT.has(error.code)) onSignedOut();
    throw error;
  };
}

const SIGNED_OUT = new Set(['unauthenticated', 'token_expired', 'token_revoked']);

const send = (path, init) =>
  fetch(path, init).catch(() => {
    throw new ApiError(0, 'unreachable', 'The server cannot be reached. Try again.');
  });

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reasonOf(body) {
  const detail = body?.detail;
  if (Array.isArray(detail)) return detail.map(({ loc, msg }) => `${loc?.at(-1) ?? ''} ${msg}`.trim()).join('. ');
  return typeof detail === 'string' && detail !== '' ? detail : 'That did not work.';
}
