import type { Scope } from '../completion/plugins.ts';
import type { Fields } from '../llm/turn.ts';
import type { TurnEvent } from '../llm/turn-event.ts';
import type { Voice } from '../plugins/voice.ts';
import type { Called } from './call.ts';
import { createFileRoom } from './file-room.ts';
import type { Citation } from './tool.ts';

/** What people see of tools at work. */
export interface Telling {
  /** Before a round of calls. */
  onRound(names: readonly string[]): Promise<void>;
  /** After it. Gives back what the caller is told besides the answer, and the results as the model may have them. */
  onResults(results: readonly Called[]): Promise<Told>;
  /** Instead of results, when somebody has stopped the reply. */
  onStopped(names: readonly string[]): Promise<void>;
}

export interface Told {
  readonly results: readonly Called[];
  readonly events: readonly TurnEvent[];
}

/**
 * In a chat: a status for each round, a source for each result, files and embeds; these are events of the message. A caller
 * without one gets sources and files beside the answer.
 */
export function createTelling(voice: Voice | undefined, scope: Scope): Telling {
  const isAlone = scope.chatId === undefined || scope.messageId === undefined;
  const sources: Fields[] = [];
  const room = createFileRoom();
  const status = (names: readonly string[], done: boolean) =>
    voice?.emit({ type: 'status', data: { action: 'tool_calls', description: `Using ${names.join(', ')}`, done } });
  const emit = async (type: string, data: Fields) => voice?.emit({ type, data });
  return {
    async onRound(names) {
      await status(names, false);
    },
    async onResults(given) {
      const results = room.take(given);
      const found = results.filter(isCitable).flatMap(sourcesOf);
      const hasFiles = results.some(({ result }) => result.files?.length);
      const embeds = results.flatMap(({ result }) => result.embeds ?? []);
      sources.push(...found);
      for (const data of found) await emit('source', data);
      // The event says which files the message has, so it names those of earlier rounds as well.
      if (hasFiles) await emit('files', { files: room.all() });
      if (embeds.length > 0) await emit('embeds', { embeds });
      await status(namesOf(results), true);
      await voice?.settled();
      const isTold = isAlone && (found.length > 0 || hasFiles);
      return { results, events: isTold ? [besideAnswer(sources, room.all())] : [] };
    },
    async onStopped(names) {
      await status(names, true);
      await voice?.settled();
    },
  };
}

const namesOf = (results: readonly Called[]) => results.map(({ call }) => call.name);

const besideAnswer = (sources: readonly unknown[], files: readonly unknown[]): TurnEvent => ({
  type: 'extra',
  fields: { ...(sources.length > 0 && { sources: [...sources] }), ...(files.length > 0 && { files: [...files] }) },
});

export const isCitable = ({ tool, result }: Called) => tool?.isCited === true && !result.isError && result.text !== '';

/** The result itself, and each place that it names. */
export function sourcesOf({ call, tool, args, result }: Called): Fields[] {
  const name = `${tool?.source ?? ''}/${call.name}`;
  const whole = {
    source: { name },
    document: [result.text],
    metadata: [{ source: name, parameters: args }],
    tool_result: true,
  };
  return [whole, ...(result.citations ?? []).map(citationOf)];
}

const citationOf = ({ name, url, text }: Citation): Fields => ({
  source: { name, id: url, url },
  document: [text],
  metadata: [{ source: url, name, url }],
});
