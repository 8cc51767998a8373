import { listAt, stringAt } from '../llm/json-value.ts';
import type { Fields, ImagePart, Message, Part, Turn } from '../llm/turn.ts';
import type { Called } from './call.ts';
import { isCitable, sourcesOf } from './telling.ts';

/** The question with results of tools put in front of its last message, numbered like the sources that the user sees. */
export function withContext(turn: Turn, results: readonly Called[], seesImages: boolean): Turn {
  const context = contextOf(results);
  const images = seesImages ? results.flatMap(({ result }) => result.images ?? []) : [];
  const shown = images.map((url): ImagePart => ({ type: 'image', url }));
  const at = turn.messages.findLastIndex(({ role }) => role === 'user');
  const last: Message = turn.messages[at] ?? { role: 'user', parts: [] };
  const message = { ...last, parts: [...prefixed(context, last.parts), ...shown] };
  return { ...turn, messages: at === -1 ? [...turn.messages, message] : turn.messages.with(at, message) };
}

/** One text stays one text, which small models read best. */
function prefixed(context: string, parts: readonly Part[]): readonly Part[] {
  const [first, ...rest] = parts;
  return first?.type === 'text'
    ? [{ ...first, text: `${context}\n\n${first.text}` }, ...rest]
    : [{ type: 'text', text: context }, ...parts];
}

const INSTRUCTION =
  'Answer with the help of this context, which tools have just found. Where you use a source that has an id, ' +
  'put the id in square brackets behind what you say, such as [1]. Say so when the context does not help.';

function contextOf(results: readonly Called[]): string {
  const ids = new Map<string, number>();
  const idOf = (name: string) => ids.get(name) ?? ids.set(name, ids.size + 1).size;
  const blocks = results.flatMap((called) =>
    isCitable(called)
      ? sourcesOf(called).map((source) => citedBlock(source, idOf))
      : [block(nameOf(called), `${called.result.isError ? 'Error: ' : ''}${called.result.text}`)],
  );
  return `${INSTRUCTION}\n<context>\n${blocks.join('\n')}\n</context>`;
}

const nameOf = ({ tool, call }: Called) => `${tool?.source ?? ''}/${call.name}`;

function citedBlock(source: Fields, idOf: (name: string) => number): string {
  const origin = stringAt(listAt(source, 'metadata')[0], 'source') ?? '';
  const [text] = Array.isArray(source.document) ? source.document : [];
  return block(stringAt(source.source, 'name') ?? origin, String(text), idOf(origin));
}

const block = (name: string, text: string, id?: number) =>
  `<source${id === undefined ? '' : ` id="${id}"`} name="${name.replaceAll('"', "'")}">${harmless(text)}</source>`;

/** What a tool found must not close the block it stands in. */
const harmless = (text: string) => text.replaceAll(/<(?=\/?(?:source|context)\b)/gi, '‹');
