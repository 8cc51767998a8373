import type { Scope } from '../completion/plugins.ts';
import { AppError } from '../errors.ts';
import type { Fields } from '../llm/turn.ts';
import type { Outbound } from '../net/outbound.ts';
import type { Voice } from '../plugins/voice.ts';
import type { Settings } from '../settings/variables.ts';
import { generateImage } from './image-generation.ts';
import { addMemory, listMemories } from './memories.ts';
import { toResult, toText, type Tool } from './tool.ts';
import { searchWeb } from './web-search.ts';

export interface BuiltInParts {
  readonly settings: Settings;
  readonly outbound: Outbound;
  readonly scope: Scope;
  readonly voice: Voice | undefined;
}

interface Feature {
  /** Why it cannot be used, if so. */
  readonly obstacle: (parts: BuiltInParts) => string | undefined;
  readonly tools: (parts: BuiltInParts) => readonly Tool[];
}

/** The tools behind `features`. One that is not configured, or unknown, is refused by its name. */
export function builtInTools(features: readonly string[], parts: BuiltInParts): Tool[] {
  return features.flatMap((name) => {
    const feature = Object.hasOwn(FEATURES, name) ? FEATURES[name] : undefined;
    const obstacle = feature ? feature.obstacle(parts) : 'there is no such feature';
    if (!feature || obstacle !== undefined)
      throw new AppError('not_available', `"${name}" is not available: ${obstacle}`, { facts: { param: 'features' } });
    return [...feature.tools(parts)];
  });
}

const object = (properties: Fields, required: readonly string[]): Fields => ({ type: 'object', properties, required });
const text = (description: string) => ({ type: 'string', description });
export const BUILT_IN = 'built_in';
export const SEARCH_WEB = 'search_web';

const tool = (one: Omit<Tool, 'source' | 'isCited'> & { isCited?: boolean }): Tool => ({
  source: BUILT_IN,
  isCited: false,
  ...one,
});

const FEATURES: Readonly<Record<string, Feature>> = {
  web_search: {
    obstacle: ({ settings }) => (settings.WEB_SEARCH_ENGINE === '' ? 'WEB_SEARCH_ENGINE is not set' : undefined),
    tools: ({ settings, outbound }) => [
      tool({
        name: SEARCH_WEB,
        description: 'Search the web. Gives titles, addresses and excerpts.',
        parameters: object({ query: text('What to search for') }, ['query']),
        isCited: true,
        run: async ({ query }, signal) =>
          toResult(await searchWeb(outbound, settings, { query: toText(query), signal })),
      }),
    ],
  },
  image_generation: {
    obstacle: ({ settings }) =>
      settings.IMAGES_COMPAT_API_BASE_URL === '' ? 'IMAGES_COMPAT_API_BASE_URL is not set' : undefined,
    tools: ({ settings, outbound }) => [
      tool({
        name: 'generate_image',
        description: 'Make a picture from a description and show it to the user.',
        parameters: object({ prompt: text('What the picture shows') }, ['prompt']),
        async run({ prompt }, signal) {
          const url = await generateImage(outbound, settings, { prompt: toText(prompt), signal });
          return { text: 'The picture is shown to the user.', files: [{ type: 'image', url }] };
        },
      }),
    ],
  },
  code_interpreter: {
    obstacle: ({ settings, voice, scope }) => {
      if (!settings.ENABLE_CODE_INTERPRETER) return 'ENABLE_CODE_INTERPRETER is off';
      return voice && scope.sessionId !== undefined
        ? undefined
        : 'it runs in the browser and needs chat_id, id and session_id';
    },
    tools: ({ voice }) => [
      tool({
        name: 'execute_code',
        description: "Run JavaScript in the user's browser as the body of an async function and get what it returns.",
        parameters: object({ code: text('JavaScript') }, ['code']),
        run: async ({ code }, signal) =>
          toResult(await voice?.ask({ type: 'execute', data: { code: toText(code) } }, signal)),
      }),
    ],
  },
  memory: {
    obstacle: ({ settings }) => (settings.ENABLE_MEMORIES ? undefined : 'ENABLE_MEMORIES is off'),
    tools: ({ scope: { actor } }) => [
      tool({
        name: 'recall_memories',
        description: 'Everything that is remembered about the user from earlier conversations.',
        parameters: object({}, []),
        run: async () => ({ text: toText((await listMemories(actor.userId)).map(({ content }) => content)) }),
      }),
      tool({
        name: 'add_memory',
        description: 'Remember a fact about the user for later conversations.',
        parameters: object({ content: text('One fact, in one sentence') }, ['content']),
        async run({ content }) {
          await addMemory(actor.userId, toText(content).slice(0, 2000));
          return { text: 'Remembered.' };
        },
      }),
    ],
  },
};
