import { asModelError } from '../completion/refusal.ts';
import type { Ask, Say, Speak } from '../completion/speech.ts';
import { newId } from '../ids.ts';
import { callId } from '../llm/call-id.ts';
import type { ToolCall } from '../llm/turn-event.ts';
import { BUILT_IN, SEARCH_WEB } from './built-in.ts';
import { carryOut } from './call.ts';
import type { LoopParts } from './loop.ts';
import { withContext } from './result-context.ts';
import { choicePrompt, queryPrompt, readChoices, readQueries, type Choice } from './tool-choice.ts';
import type { Tool } from './tool.ts';
import type { Toolbox } from './toolbox.ts';

export interface ChosenParts extends Pick<LoopParts, 'openToolbox' | 'telling' | 'seesImages'> {
  /** Puts a small task to a model and gives back what it wrote. */
  readonly askTask: (prompt: string, signal: AbortSignal) => Promise<string>;
}

/** For a model that cannot call tools: they are chosen and run before it is asked, and it finds the results in its question. */
export const withChosenTools =
  (speak: Speak, parts: ChosenParts): Speak =>
  async (ask, signal) => {
    const toolbox = await parts.openToolbox();
    try {
      const calls = await choose(parts, toolbox, { ask, signal });
      if (calls.length > 0) return { listen: (say) => answer({ speak, parts, toolbox, signal }, { ask, calls }, say) };
    } catch (error) {
      await toolbox.close();
      throw error;
    }
    await toolbox.close();
    return speak(ask, signal);
  };

/** A search that was asked for is made in any case; everything else only when the task model finds it useful. */
async function choose(
  { askTask }: ChosenParts,
  { tools }: Toolbox,
  { ask, signal }: { readonly ask: Ask; readonly signal: AbortSignal },
): Promise<ToolCall[]> {
  const { messages } = ask.turn();
  const others: ReadonlyMap<string, Tool> = new Map([...tools].filter(([, tool]) => !isSearch(tool)));
  const search = [...tools].find(([, tool]) => isSearch(tool))?.[0];
  const searching = async (name: string): Promise<Choice[]> =>
    readQueries(await askTask(queryPrompt(messages), signal), messages).map((query) => ({ name, args: { query } }));
  const [queries, choices] = await Promise.all([
    search === undefined ? [] : searching(search),
    others.size === 0 ? [] : askTask(choicePrompt(others, messages), signal).then((said) => readChoices(said, others)),
  ]);
  const seed = newId();
  return [...queries, ...choices].map(({ name, args }, at) => ({
    id: callId(seed, at),
    name,
    arguments: JSON.stringify(args),
  }));
}

const isSearch = ({ source, name }: Tool) => source === BUILT_IN && name === SEARCH_WEB;

interface Answering {
  readonly speak: Speak;
  readonly parts: ChosenParts;
  readonly toolbox: Toolbox;
  readonly signal: AbortSignal;
}

async function answer(
  { speak, parts, toolbox, signal }: Answering,
  { ask, calls }: { readonly ask: Ask; readonly calls: readonly ToolCall[] },
  say: Say,
): Promise<void> {
  const { telling, seesImages } = parts;
  const names = calls.map(({ name }) => name);
  try {
    await telling.onRound(names);
    const called = await Promise.all(calls.map((call) => carryOut(call, toolbox.tools, signal)));
    if (signal.aborted) return await telling.onStopped(names);
    const { results, events } = await telling.onResults(called);
    if (events.length > 0) await say(events);
    const turn = withContext(ask.turn(), results, seesImages);
    const speech = await speak({ turn: () => turn, isStreamed: ask.isStreamed }, signal);
    await speech.listen(say);
  } catch (error) {
    if (!signal.aborted) await say([{ type: 'error', error: asModelError(error) }]);
  } finally {
    await toolbox.close();
  }
}
