import { randomUUID } from 'node:crypto';
import type { Row } from '../store/table.ts';
import type { Objects } from './objects.ts';

/**
 * The fields of a message or a chat inside a row. Each is an attribute of its own, so two writers that change
 * different fields never meet. Values are JSON text: any value survives, and reading need not parse it.
 *
 *   f_<name>  the value          s_<name>  the object that holds it, when it is large
 *   l_<name>  what the server has appended: items of a list, or pieces of the content
 */
export type RawFields = ReadonlyMap<string, string>;
export type Fields = Readonly<Record<string, unknown>>;

export const toRaw = (fields: Fields): RawFields =>
  new Map(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, JSON.stringify(value)]])),
  );

export const fromRaw = (raw: RawFields): Record<string, unknown> =>
  Object.fromEntries([...raw].map(([name, text]) => [name, JSON.parse(text) as unknown]));

export interface Packed {
  readonly set: Record<string, unknown>;
  readonly remove: string[];
  /** Objects that were made for this write; to be dropped again when it fails. */
  readonly made: string[];
}

const LARGEST_INLINE = 32 * 1024;
const LARGEST_WRITE = 96 * 1024;

/** Lays out fields for a row; large ones go to objects under the folder first. */
export async function packFields(raw: RawFields, folder: string, objects: Objects): Promise<Packed> {
  const outside = tooLargeFor(raw);
  const packed: Packed = { set: {}, remove: [], made: [] };
  const pack = async ([name, text]: [string, string]) => {
    const key = outside.has(name) ? await putAside(text, `${folder}${encodeURIComponent(name)}/`, objects) : undefined;
    if (key) packed.made.push(key);
    packed.set[`${key ? 's_' : 'f_'}${name}`] = key ?? text;
    packed.remove.push(`${key ? 'f_' : 's_'}${name}`);
  };
  await Promise.all([...raw].map(pack));
  return packed;
}

export async function putAside(text: string, folder: string, objects: Objects) {
  const key = `${folder}${randomUUID()}`;
  await objects.put(key, text);
  return key;
}

function tooLargeFor(raw: RawFields): ReadonlySet<string> {
  const outside = new Set<string>();
  const sizes = [...raw].map(([name, text]) => ({ name, bytes: Buffer.byteLength(text) }));
  let total = 0;
  for (const { name, bytes } of sizes.toSorted((a, b) => a.bytes - b.bytes)) {
    total += bytes;
    if (bytes > LARGEST_INLINE || total > LARGEST_WRITE) outside.add(name);
  }
  return outside;
}

/** The fields of a row, with what lies outside fetched and what was appended joined in. */
export async function readFields(row: Row, objects: Objects): Promise<RawFields> {
  const fields = new Map<string, string>();
  const outside: Promise<unknown>[] = [];
  for (const [attribute, value] of Object.entries(row)) {
    const name = attribute.slice(2);
    if (attribute.startsWith('f_')) fields.set(name, String(value));
    if (attribute.startsWith('s_')) outside.push(objects.get(String(value)).then((text) => fields.set(name, text)));
  }
  if (outside.length > 0) await Promise.all(outside);
  for (const [attribute, value] of Object.entries(row)) {
    if (!attribute.startsWith('l_') || !Array.isArray(value)) continue;
    const name = attribute.slice(2);
    const items = await Promise.all(value.map((item) => readItem(String(item), objects)));
    fields.set(name, name === 'content' ? joinText(fields.get(name), items) : joinLists(fields.get(name), items));
  }
  return fields;
}

/** The objects that a row, or what a write replaced of it, points to. */
export const objectsIn = (row: Row): string[] =>
  Object.entries(row).flatMap(([attribute, value]) => {
    if (attribute.startsWith('s_') && typeof value === 'string') return [value];
    return attribute.startsWith('l_') && Array.isArray(value) ? value.map(String).filter(isPointer).map(target) : [];
  });

const LARGEST_ITEM = 2 * 1024;

/** An appended item; a large one is a pointer, which no JSON text can be taken for. */
export const packItem = async (value: unknown, folder: string, objects: Objects) => {
  const text = JSON.stringify(value);
  return Buffer.byteLength(text) > LARGEST_ITEM ? `@${await putAside(text, folder, objects)}` : text;
};

const isPointer = (item: string) => item.startsWith('@');
const target = (pointer: string) => pointer.slice(1);
const readItem = async (item: string, objects: Objects) => (isPointer(item) ? objects.get(target(item)) : item);

const joinText = (text: string | undefined, pieces: readonly string[]) =>
  JSON.stringify([text ?? '""', ...pieces].map((piece) => JSON.parse(piece) as string).join(''));

/**
 * What a save has sent, in its order, and then what the server appended beyond it. A client saves its own copy of such a
 * list, which may be older or newer than ours: nothing of either is lost, and nothing shows twice. Of two items with
 * the same id the one the server appended last is shown.
 */
function joinLists(sentText: string | undefined, appended: readonly string[]) {
  const own = latestById(appended);
  const parsed: unknown = sentText === undefined ? [] : JSON.parse(sentText);
  const sent = (Array.isArray(parsed) ? parsed : []).map((item) => JSON.stringify(item));
  const left = new Map<string, number>();
  for (const item of sent) left.set(item, (left.get(item) ?? 0) + 1);
  const known = new Set(sent.map(idOf).filter((id) => id !== undefined));
  const beyond = [...own].filter(([id, item]) => {
    const count = left.get(item) ?? 0;
    if (count > 0) left.set(item, count - 1);
    return count === 0 && !known.has(id as string);
  });
  return `[${[...sent.map((item) => own.get(idOf(item)) ?? item), ...beyond.map(([, item]) => item)].join(',')}]`;
}

/** By id where there is one; items without an id all stay, each under a key of its own. */
function latestById(items: readonly string[]) {
  const kept = new Map<unknown, string>();
  for (const item of items) kept.set(idOf(item) ?? Symbol('item'), item);
  return kept;
}

function idOf(item: string): string | undefined {
  const value: unknown = JSON.parse(item);
  const id: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'id') : undefined;
  return typeof id === 'string' ? id : undefined;
}
