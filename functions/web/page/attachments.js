import { h, link, safeLink } from './dom.js';
import { codeBlock } from './markdown.js';

/** Pictures are shown, everything else is a link, or only a name when its address is none. */
export const filesView = (files = []) =>
  files.filter((file) => typeof file === 'object' && file !== null).map(fileView);

function fileView(file) {
  const name = String(file.name ?? file.file?.filename ?? file.id ?? 'File');
  const href = safeLink(file.url);
  if (file.type === 'image' && isPicture(file.url)) return picture(file.url, name);
  return href ? link(href, name) : h('span', { class: 'file' }, name);
}

const isPicture = (url) => safeLink(url) !== undefined || /^data:image\/(png|jpe?g|gif|webp|avif);/i.test(String(url));

function picture(src, name) {
  const image = h('img', { src, alt: name, loading: 'lazy' });
  image.addEventListener('error', () => image.replaceWith(h('span', { class: 'file' }, name)));
  return image;
}

/** Where an answer comes from, and what was run for it. */
export function sourcesView(sources = [], runs = []) {
  const parts = [];
  if (sources.length > 0) {
    parts.push(
      h(
        'details',
        { class: 'sources' },
        h('summary', {}, `Sources (${sources.length})`),
        h('ol', {}, ...sources.map(sourceView)),
      ),
    );
  }
  return [...parts, ...runs.map(runView)];
}

/** @param {any} given */
function sourceView({ source = {}, document: passages = [], metadata = [] }) {
  const name = String(source.name ?? metadata[0]?.name ?? metadata[0]?.source ?? source.id ?? 'Source');
  const href = safeLink(source.url ?? metadata[0]?.url ?? addressIn(metadata[0]?.source));
  const texts = passages
    .filter((text) => typeof text === 'string')
    .map((text) => h('blockquote', {}, text.slice(0, 500)));
  return h('li', {}, href ? link(href, name) : name, ...texts);
}

const addressIn = (text) => (/^https?:\/\//.test(String(text)) ? text : undefined);

function runView({ name = 'Code', code = '', language = '', result }) {
  const output = result?.error ?? result?.output;
  return h(
    'details',
    { class: 'sources' },
    h('summary', {}, String(name), result === undefined && ' …'),
    codeBlock(String(language), String(code)),
    output !== undefined && codeBlock(result.error === undefined ? 'output' : 'error', String(output)),
    ...filesView(result?.files),
  );
}
