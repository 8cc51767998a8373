import { notFound } from '../../shared/errors.ts';

/** Formats that a browser shows without running anything in them. */
const DATA = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/=]+)$/;

/** The picture itself, or a redirect to where it lies. */
export function imageAnswer(image: string | undefined): Response {
  const data = DATA.exec(image ?? '');
  if (data) {
    const headers = { 'content-type': data[1] ?? '', 'cache-control': 'private, max-age=300' };
    return new Response(new Uint8Array(Buffer.from(data[2] ?? '', 'base64')), { headers });
  }
  if (image && URL.canParse(image) && new URL(image).protocol === 'https:')
    return new Response(null, { status: 302, headers: { location: image } });
  throw notFound('Picture');
}
