import { AppError } from '../errors.ts';
import { dataUrl } from '../llm/parts.ts';
import type { ImagePart, Message, Part, Turn } from '../llm/turn.ts';
import type { Outbound } from '../net/outbound.ts';
import type { Speak } from './speech.ts';

const LARGEST_IMAGE = 10 * 1024 * 1024;
const MOST_IMAGES = 20;
const FETCH_MS = 15_000;

/** A local runtime fetches nothing itself, so images that are only named by address are fetched for it. */
export const withInlineImages =
  (outbound: Outbound, speak: Speak): Speak =>
  async (ask, signal) => {
    const turn = await inlineImages(ask.turn(), (url) => fetchImage(outbound, url, signal));
    return speak({ ...ask, turn: () => turn }, signal);
  };

type Fetch = (url: string) => Promise<string>;

async function inlineImages(turn: Turn, fetch: Fetch): Promise<Turn> {
  const addresses = new Set(turn.messages.flatMap(({ parts }) => parts.filter(isNamedImage).map(({ url }) => url)));
  if (addresses.size === 0) return turn;
  if (addresses.size > MOST_IMAGES)
    throw new AppError('invalid_request', `At most ${MOST_IMAGES} images can be given by address`);
  const fetched = new Map(await Promise.all([...addresses].map(async (url) => [url, await fetch(url)] as const)));
  const replace = (part: Part): Part =>
    isNamedImage(part) ? { ...part, url: fetched.get(part.url) ?? part.url } : part;
  const messages = turn.messages.map((message): Message => ({ ...message, parts: message.parts.map(replace) }));
  return { ...turn, messages };
}

const isNamedImage = (part: Part): part is ImagePart => part.type === 'image' && /^https?:/i.test(part.url);

async function fetchImage(outbound: Outbound, url: string, signal: AbortSignal): Promise<string> {
  const response = await outbound.request(url, { timeoutMs: FETCH_MS, redirects: 3, signal });
  const type = response.headers['content-type'] ?? '';
  if (response.status !== 200 || !type.startsWith('image/')) {
    response.close();
    throw new AppError('invalid_request', `There is no image at ${url.slice(0, 200)}`);
  }
  return dataUrl(type.split(';')[0] ?? type, (await response.bytes(LARGEST_IMAGE)).toString('base64'));
}
