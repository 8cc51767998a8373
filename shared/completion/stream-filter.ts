import { createTurnWriter } from '../llm/turn-writer.ts';
import { chatCaller, chatUpstream } from '../llm/chat/protocol.ts';
import { parseJson, isObject } from '../llm/json-value.ts';
import type { Fields } from '../llm/turn.ts';
import type { TurnEvent } from '../llm/turn-event.ts';
import { newId } from '../ids.ts';
import { createTurnReader } from '../llm/turn-reader.ts';
import type { Filter, Scope } from './plugins.ts';
import type { Speech } from './speech.ts';

/** The answer as the stream filters leave it. They see chunks of the chat-completions format, whatever the model spoke. */
export function filteredSpeech(speech: Speech, filters: readonly Filter[], scope: Scope): Speech {
  return {
    async listen(say) {
      const head = { id: newId(), model: scope.target.id, created: Math.floor(Date.now() / 1000), wantsUsage: true };
      const write = createTurnWriter(chatCaller, head);
      const reader = createTurnReader(chatUpstream, head.id);
      await speech.listen(async (events) => {
        const kept: TurnEvent[] = [];
        for (const event of events) {
          // The work of the gateway is no chunk of the answer; it only has to keep its place.
          if (event.type === 'tool_run') kept.push(event);
          for (const frame of dataOf(write(event))) {
            kept.push(...reader.push(await filterFrame(frame, filters, scope)));
          }
        }
        if (kept.length > 0) await say(kept);
      });
      const rest = reader.end();
      if (rest.length > 0) await say(rest);
    },
  };
}

const dataOf = (frames: string) => frames.split('\n\n').filter(Boolean);

async function filterFrame(frame: string, filters: readonly Filter[], scope: Scope): Promise<Uint8Array> {
  const chunk = parseJson(frame.slice('data: '.length));
  if (!isObject(chunk)) return Buffer.from(`${frame}\n\n`);
  const kept = await filterChunk(chunk, filters, scope);
  return Buffer.from(kept ? `data: ${JSON.stringify(kept)}\n\n` : '');
}

async function filterChunk(chunk: Fields, filters: readonly Filter[], scope: Scope): Promise<Fields | undefined> {
  let kept: Fields | undefined = chunk;
  for (const { stream } of filters) if (kept && stream) kept = await stream(kept, scope);
  return kept;
}
