import { createHash } from 'node:crypto';
import { notFound } from '../../shared/errors.ts';
import type { HttpRequest } from '../../shared/http/request.ts';
import { EMBED_POLICY, PAGE_POLICY } from './policy.ts';

/** Names and contents of the page's files. */
export type PageFiles = ReadonlyMap<string, string>;

/** Answers with the page and its files, which never change under one version. */
export interface Site {
  page(request: HttpRequest): Response;
  file(wanted: { readonly version: string; readonly name: string }, request: HttpRequest): Response;
}

const ENTRY = 'index.html';
const EMBED = 'embed.html';

/** The version is a digest of everything, so files may name each other plainly and still be kept for ever. */
export function createSite(files: PageFiles): Site {
  const version = digest([...files].toSorted(([a], [b]) => (a < b ? -1 : 1)).flat());
  const page = render(files, version);
  return {
    page: (request) => answer(page, request, PAGE_HEADERS),
    file(wanted, request) {
      const content = files.get(wanted.name);
      if (content === undefined || wanted.name === ENTRY) throw notFound('File');
      if (wanted.version !== version) return redirect(`/assets/${version}/${wanted.name}`);
      return answer(content, request, fileHeaders(wanted.name));
    },
  };
}

/** Deployed, the page is one script; in the repository all are named, so that they load side by side. */
function render(files: PageFiles, version: string) {
  const at = (name: string) => `/assets/${version}/${name}`;
  const scripts = [...files.keys()].filter((name) => name.endsWith('.js')).toSorted();
  const links = [
    `<link rel="stylesheet" href="${at('style.css')}">`,
    ...scripts.map((name) => `<link rel="modulepreload" href="${at(name)}">`),
    `<link rel="icon" type="image/svg+xml" href="${at('icon.svg')}">`,
    `<script type="module" src="${at('main.js')}"></script>`,
  ];
  const page = files.get(ENTRY);
  if (page === undefined) throw new Error(`The page has no ${ENTRY}`);
  return page.replace('<!-- files -->', links.join('\n    '));
}

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  'content-security-policy': PAGE_POLICY,
  'cross-origin-opener-policy': 'same-origin',
};

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  html: 'text/html; charset=utf-8',
};

const fileHeaders = (name: string) => ({
  'content-type': TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'text/plain; charset=utf-8',
  'cache-control': 'public, max-age=31536000, immutable',
  ...(name === EMBED && { 'content-security-policy': EMBED_POLICY, 'x-frame-options': 'SAMEORIGIN' }),
});

function answer(content: string, request: HttpRequest, headers: Readonly<Record<string, string>>) {
  const etag = `"${digest([content])}"`;
  const known = request.headers.get('if-none-match')?.split(/\s*,\s*/) ?? [];
  if (known.includes(etag)) return new Response(null, { status: 304, headers: { ...headers, etag } });
  return new Response(content, { headers: { ...headers, etag } });
}

/** A page from before a deployment may still ask for its files; modules import from where they were found. */
const redirect = (location: string) =>
  new Response(null, { status: 307, headers: { location, 'cache-control': 'no-store' } });

const digest = (parts: readonly string[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
