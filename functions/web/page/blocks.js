/**
 * Splits text into blocks: headings, lists, tables, code and so on. Each knows the lines it was made from, so that of a
 * growing text only the last ones need to be shown anew.
 * @typedef {{ kind: string, end: number, source?: string, [field: string]: any }} Block
 * @param {string} text
 * @returns {Block[]}
 */
export function parseBlocks(text) {
  const lines = text.split('\n');
  const blocks = [];
  for (let at = 0; at < lines.length;) {
    if (lines[at].trim() === '') {
      at += 1;
      continue;
    }
    const block = read(lines, at);
    blocks.push({ ...block, source: lines.slice(at, block.end).join('\n') });
    at = block.end;
  }
  return blocks;
}

function read(lines, at) {
  for (const reader of READERS) {
    const block = reader(lines, at);
    if (block) return block;
  }
  return paragraph(lines, at);
}

/** Where the lines stop that fit. */
function endOf(lines, at, fits) {
  let end = at;
  while (end < lines.length && fits(lines[end], end)) end += 1;
  return end;
}

function fence(lines, at) {
  const [, mark, language] = /^\s{0,3}(`{3,}|~{3,})\s*([\w+#.-]*)/.exec(lines[at]) ?? [];
  if (!mark) return undefined;
  const close = endOf(lines, at + 1, (line) => !(line.trim().startsWith(mark) && /^[`~\s]+$/.test(line)));
  return {
    kind: 'code',
    language,
    text: lines.slice(at + 1, close).join('\n'),
    end: Math.min(close + 1, lines.length),
  };
}

function heading(lines, at) {
  const [, marks, text] = /^(#{1,6})\s+(\S.*)$/.exec(lines[at]) ?? [];
  return marks && { kind: 'heading', level: marks.length, text: text.trimEnd().replace(/ #+$/, ''), end: at + 1 };
}

const rule = (lines, at) =>
  /^\s{0,3}([-*_])(\s*\1){2,}\s*$/.test(lines[at]) ? { kind: 'rule', end: at + 1 } : undefined;

function quote(lines, at) {
  if (!/^\s{0,3}>/.test(lines[at])) return undefined;
  const end = endOf(lines, at, (line) => /^\s{0,3}>/.test(line));
  const text = lines.slice(at, end).map((line) => line.replace(/^\s{0,3}> ?/, ''));
  return { kind: 'quote', text: text.join('\n'), end };
}

const cells = (line) =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());

function table(lines, at) {
  if (!lines[at].includes('|') || !/^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/.test(lines[at + 1] ?? ''))
    return undefined;
  const end = endOf(lines, at + 2, (line) => line.includes('|'));
  const aligned = cells(lines[at + 1]).map((cell) =>
    cell.endsWith(':') ? (cell.startsWith(':') ? 'center' : 'end') : '',
  );
  return { kind: 'table', head: cells(lines[at]), rows: lines.slice(at + 2, end).map(cells), aligned, end };
}

const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;

/** An item goes on with the lines that are indented below it; they may hold lists of their own. */
function list(lines, at) {
  const [, indent, mark] = ITEM.exec(lines[at]) ?? [];
  if (mark === undefined) return undefined;
  const itemIn = (line) => {
    const [, space, own, text] = ITEM.exec(line) ?? [];
    return space?.length === indent.length && /\d/.test(own) === /\d/.test(mark) ? text : undefined;
  };
  const isSibling = (line) => itemIn(line) !== undefined;
  const isBelow = (line) => line.length - line.trimStart().length > indent.length && line.trim() !== '';
  const end = endOf(
    lines,
    at,
    (line, i) => isSibling(line) || isBelow(line) || (line.trim() === '' && isSibling(lines[i + 1] ?? '')),
  );
  const items = [];
  for (const line of lines.slice(at, end)) {
    const text = itemIn(line);
    if (text !== undefined) items.push([text]);
    else items.at(-1)?.push(line.replace(/^(\s{1,4}|\t)/, ''));
  }
  return { kind: 'list', start: Number.parseInt(mark, 10), items: items.map((item) => item.join('\n').trimEnd()), end };
}

const READERS = [fence, heading, rule, quote, table, list];

/** Up to an empty line, or to where something else begins. */
function paragraph(lines, at) {
  const begins = (i) => [fence, heading, rule, quote, list].some((reader) => reader(lines, i));
  const end = endOf(lines, at + 1, (line, i) => line.trim() !== '' && !begins(i));
  return { kind: 'paragraph', text: lines.slice(at, end).join('\n'), end };
}
