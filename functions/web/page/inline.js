import { h, link, safeLink } from './dom.js';

/** Every span is bounded, so that no text can make the search slow. */
const SPAN =
  /(?<!`)(`{1,3})(?!`)([^\n]{1,1000}?)(?<!`)\1(?!`)|\*\*(\S[^\n]{0,1000}?)\*\*|(?<!\w)_(\S[^\n]{0,1000}?)_(?!\w)|\*(\S[^\n*]{0,1000}?)\*|~~(\S[^\n]{0,1000}?)~~|!?\[([^\]\n]{0,500})\]\(([^\s()]{1,2000})\)|(https?:\/\/[^\s<>"'`]{1,2000}[^\s<>"'`.,;:!?)\]])/g;

const DEEPEST = 5;

/** Bold, italic, code, links: as nodes, never as markup. Pictures are links, because looking at one tells its host. */
export function inline(text, depth = 0) {
  if (depth > DEEPEST) return [text];
  const nodes = [];
  let end = 0;
  for (const match of text.matchAll(SPAN)) {
    nodes.push(...broken(text.slice(end, match.index)), span(match, depth + 1));
    end = match.index + match[0].length;
  }
  return [...nodes, ...broken(text.slice(end))];
}

function span([whole, , code, bold, italic, emphasis, struck, label, target, address], depth) {
  if (code !== undefined) return h('code', {}, code.trim() || code);
  if (bold !== undefined) return h('strong', {}, ...inline(bold, depth));
  if (italic !== undefined || emphasis !== undefined) return h('em', {}, ...inline(italic ?? emphasis, depth));
  if (struck !== undefined) return h('s', {}, ...inline(struck, depth));
  const href = safeLink(target ?? address);
  if (!href) return whole;
  return address === undefined ? link(href, ...inline(label || target, DEEPEST + 1)) : link(href, address);
}

/** Line ends inside a paragraph are kept, as people and models mean them. */
const broken = (text) =>
  text.split('\n').flatMap((line, i) => [...(i > 0 ? [h('br')] : []), ...(line === '' ? [] : [line])]);
