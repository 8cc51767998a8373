/**
 * The page runs its own files only. `unsafe-eval` is what the `execute` event asks for: JavaScript of a plugin, run in
 * the page. Text never becomes markup or script, because the page makes text nodes.
 */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: https:",
  "connect-src 'self'",
  "frame-src 'self' http: https:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const SANDBOX = 'allow-scripts allow-popups allow-downloads';

/**
 * The page around an embed of raw HTML. A frame made of text alone would inherit the policy above and its scripts would
 * not run; this one may do anything, in an origin of its own that has nothing.
 */
export const EMBED_POLICY = `sandbox ${SANDBOX}; frame-ancestors 'self'`;
