import { isUtf8 } from 'node:buffer';
import { AppError } from '../../shared/errors.ts';
import type { Outbound } from '../../shared/net/outbound.ts';

const LARGEST = 1024 * 1024;
const TIMEOUT_MS = 20_000;

/** Fetches a source as anybody could: the address is no more trusted than one of a user. */
export async function loadUrl(outbound: Outbound, given: string) {
  const url = rawUrlOf(given);
  const response = await outbound.request(url, { redirects: 3, timeoutMs: TIMEOUT_MS });
  if (response.status !== 200) {
    response.close();
    throw new AppError('upstream_failed', `The address answered ${response.status}`, { status: 400 });
  }
  const bytes = await response.bytes(LARGEST);
  if (bytes.length === 0 || !isUtf8(bytes)) throw new AppError('invalid_request', 'There is no text at this address');
  return { name: nameOf(url), content: bytes.toString('utf8') };
}

/** Where GitHub shows a file, the file itself is meant. */
const rawUrlOf = (url: string) =>
  url.replace(
    /^https:\/\/github\.com\/([^/]+)\/([^/]+)\/blob\/([^/]+)\/(.+)$/,
    'https://raw.githubusercontent.com/$1/$2/refs/heads/$3/$4',
  );

/** That of the file, or of its folder when files of this name are everywhere. */
function nameOf(url: string): string {
  const [file = '', folder = ''] = new URL(url).pathname.split('/').filter(Boolean).toReversed();
  const name = file.replace(/\.(?:js|mjs|ts)$/, '');
  return ['index', 'main', 'plugin', ''].includes(name) ? folder || 'function' : name;
}
