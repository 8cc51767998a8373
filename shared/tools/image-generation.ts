import { AppError } from '../errors.ts';
import { listAt, stringAt } from '../llm/json-value.ts';
import { dataUrl } from '../llm/parts.ts';
import type { Outbound } from '../net/outbound.ts';
import type { Settings } from '../settings/variables.ts';

export type ImageSettings = Pick<Settings, 'IMAGES_COMPAT_API_BASE_URL' | 'IMAGES_COMPAT_API_KEY' | 'IMAGES_MODEL'>;

const LARGEST_IMAGE = 12 * 1024 * 1024;
const IMAGE_MS = 180_000;

export interface Wish {
  readonly prompt: string;
  readonly signal: AbortSignal;
}

/** The address of the picture, or the picture itself as a `data:` URL. */
export async function generateImage(
  outbound: Outbound,
  settings: ImageSettings,
  { prompt, signal }: Wish,
): Promise<string> {
  const { IMAGES_COMPAT_API_BASE_URL: base, IMAGES_COMPAT_API_KEY: key, IMAGES_MODEL: model } = settings;
  const response = await outbound.request(`${base.replace(/\/+$/, '')}/images/generations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
    body: JSON.stringify({ prompt, n: 1, ...(model && { model }) }),
    timeoutMs: IMAGE_MS,
    trusted: true,
    signal,
  });
  if (response.status !== 200) throw new AppError('upstream_failed', `The image engine answered ${response.status}`);
  const [image] = listAt(await response.json(LARGEST_IMAGE), 'data');
  const inline = stringAt(image, 'b64_json');
  const url = inline === undefined ? stringAt(image, 'url') : dataUrl('image/png', inline);
  if (url === undefined) throw new AppError('upstream_failed', 'The image engine answered without an image');
  return url;
}
