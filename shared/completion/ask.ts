import { decodeChatRequest } from '../llm/chat/request.ts';
import type { Fields, Turn } from '../llm/turn.ts';
import { forModel, hasOwnFields, type CompletionRequest } from './own-fields.ts';
import { hasSettings, streamOf, systemOf, withParams } from './params.ts';
import { hasPlaceholder, withPrompt, type Author, type Variables } from './prompt.ts';
import type { Ask } from './speech.ts';
import type { Target } from './target.ts';
import type { Millis } from '../time.ts';

/** What goes into a question besides the request itself. */
export interface Surroundings {
  readonly target: Target;
  readonly author: Author;
  readonly now: Millis;
  readonly variables?: Variables;
  /** Settings of this request, under the model's own names. */
  readonly params?: Fields;
  /** What the chat's folder puts in front of every conversation. */
  readonly folderPrompt?: string;
  /** Something that runs between us and the model wants the request in its neutral form. */
  readonly isExamined?: boolean;
}

/** The question of a turn in any format: the model's settings laid under it, its prompt put in front. */
export function askTurn(turn: Turn, around: Surroundings): Ask {
  const { target, params = {}, variables = {}, author, now } = around;
  const settled = withParams(turn, [target.params, params]);
  const prompted = withPrompt(settled, { system: promptsOf(around), variables, author, now });
  return { turn: () => prompted, isStreamed: streamOf(target.params, turn.stream) };
}

/**
 * The question of a chat completion. Where the server speaks the same format and nothing has to be added, the request
 * is passed on as text, with at most the model's name changed.
 */
export function askChat(body: CompletionRequest, around: Surroundings, text?: string): Ask {
  const isStreamed = streamOf(around.target.params, body.stream === true);
  let asked: Ask | undefined;
  const turn = () => (asked ??= askTurn(decodeChatRequest(forModel(body)), around)).turn();
  if (needsRewriting(body, around)) return { turn, isStreamed };
  const { via } = around.target;
  const isSame = via.kind === 'server' && via.model === body.model && !hasOwnFields(body);
  const chatText = isSame && text !== undefined && isPlain(text) ? text : undefined;
  return {
    turn,
    isStreamed,
    chatText: chatText ?? JSON.stringify({ ...forModel(body), model: modelOf(around.target) }),
  };
}

const modelOf = ({ id, via }: Target) => (via.kind === 'server' ? via.model : id);

const promptsOf = ({ target, folderPrompt = '', params = {} }: Surroundings) => [
  systemOf(target.params),
  folderPrompt,
  systemOf(params),
];

function needsRewriting(body: CompletionRequest, around: Surroundings): boolean {
  const { target, params = {}, variables = {}, isExamined } = around;
  if (isExamined || target.via.kind !== 'server' || target.via.format !== 'chat') return true;
  if (hasSettings(target.params) || hasSettings(params) || promptsOf(around).some(Boolean)) return true;
  if (streamOf(target.params, body.stream === true) !== (body.stream === true)) return true;
  return hasSystemPlaceholder(body, variables);
}

function hasSystemPlaceholder({ messages }: CompletionRequest, variables: Variables): boolean {
  const isFilled = Object.keys(variables).length > 0 ? () => true : hasPlaceholder;
  return messages
    .filter(({ role }) => role === 'system' || role === 'developer')
    .some(({ content }) => isFilled(typeof content === 'string' ? content : JSON.stringify(content ?? '')));
}

/**
 * Servers disagree about a name that stands twice, or in other letters, and some would call another model than the one
 * that was checked. Text in which that could be hidden is printed anew.
 */
const isPlain = (text: string) => (text.match(/"model"/gi)?.length ?? 0) === 1 && !/\\u00[4-7]/.test(text);
