/** An answer that is not HTTP/1.1. The code is the one Node gives its own parse errors. */
export const brokenAnswer = (why: string): Error =>
  Object.assign(new Error(`The answer cannot be read: ${why}`), { code: 'HPE_INVALID' });

/** The connection ended before the answer did. */
export const hungUp = (): Error => Object.assign(new Error('The connection was closed'), { code: 'ECONNRESET' });
