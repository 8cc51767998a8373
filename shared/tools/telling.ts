import type { Scope } from '../completion/plugins.ts';
import type { TurnEvent } from '../llm/turn-event.ts';
import type { Voice } from '../plugins/voice.ts';
import type { Called } from './call.ts';
import type { LoopParts } from './loop.ts';

/**
 * What people see of tools at work. In a chat: a status for each round, a source for each result, embeds; these are events
 * of the message. A caller without one gets the sources beside the answer.
 */
export function createTelling(voice: Voice | undefined, scope: Scope): Pick<LoopParts, 'onRound' | 'onResults'> {
  const sources: unknown[] = [];
  const status = (names: readonly string[], done: boolean) =>
    voice?.emit({ type: 'status', data: { action: 'tool_calls', description: `Using ${names.join(', ')}`, done } });
  return {
    async onRound(calls) {
      await status(
        calls.map(({ name }) => name),
        false,
      );
    },
    async onResults(results) {
      const found = results.filter(isCitable).map(sourceOf);
      const embeds = results.flatMap(({ result }) => result.embeds ?? []);
      sources.push(...found);
      for (const data of found) await voice?.emit({ type: 'source', data });
      if (embeds.length > 0) await voice?.emit({ type: 'embeds', data: { embeds } });
      await status(
        results.map(({ call }) => call.name),
        true,
      );
      await voice?.settled();
      const isAlone = scope.chatId === undefined || scope.messageId === undefined;
      return isAlone && found.length > 0 ? [sourcesEvent([...sources])] : [];
    },
  };
}

const sourcesEvent = (sources: readonly unknown[]): TurnEvent => ({ type: 'extra', fields: { sources } });

const isCitable = ({ tool, result }: Called) => tool?.isCited === true && !result.isError && result.text !== '';

const sourceOf = ({ call, tool, args, result }: Called) => {
  const name = `${tool?.source ?? ''}/${call.name}`;
  return {
    source: { name },
    document: [result.text],
    metadata: [{ source: name, parameters: args }],
    tool_result: true,
  };
};
