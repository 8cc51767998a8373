import { createApi, type Authenticate } from '../../shared/http/api.ts';
import { sentText } from '../../shared/http/parse.ts';
import { reply } from '../../shared/http/route.ts';
import type { Settings } from '../../shared/settings/variables.ts';
import type { CountParts } from './count-tokens.ts';
import type { FormatParts } from './formats.ts';
import { routes } from './routes.ts';
import { complete, type CompletionParts } from './service.ts';
import { createTasks, type TaskParts } from './tasks.ts';

export interface ApiParts extends CompletionParts, FormatParts, CountParts, TaskParts {
  readonly settings: FormatParts['settings'] & Pick<Settings, 'BUILD_CHANNEL'>;
}

/** Everything but chat completions is loaded when it is first asked for, so that those start sooner. */
const formats = () => import('./formats.ts');

export const completionsApi = (parts: ApiParts, authenticate: Authenticate) => {
  const tasks = createTasks(parts);
  const isDeprecated = parts.settings.BUILD_CHANNEL === 'prerelease';
  return createApi(
    routes,
    {
      complete: ({ request, ...asked }) => complete(parts, { ...asked, text: sentText(request) }),
      completeToo: ({ request, ...asked }) => complete(parts, { ...asked, text: sentText(request) }),
      completed: async ({ actor, body }) =>
        reply(
          await (await import('./completed.ts')).runCompleted(parts, actor, body),
          isDeprecated ? { headers: { deprecation: 'true' } } : {},
        ),
      titleChore: async (asked) => (await formats()).answerChore(parts, 'title', asked),
      tagsChore: async (asked) => (await formats()).answerChore(parts, 'tags', asked),
      followUpChore: async (asked) => (await formats()).answerChore(parts, 'follow_up', asked),
      message: async (asked) => (await formats()).answerMessages(parts, asked),
      messageToo: async (asked) => (await formats()).answerMessages(parts, asked),
      countTokens: async ({ actor, body }) => (await import('./count-tokens.ts')).countTokens(parts, actor, body),
      respond: async (asked) => (await formats()).answerResponses(parts, asked),
      respondToo: async (asked) => (await formats()).answerResponses(parts, asked),
      tasks: () => tasks.all(),
      tasksOfChat: ({ actor, params }) => tasks.ofChat(actor, params.chatId),
      stopChat: ({ actor, params }) => tasks.stopChat(actor, params.chatId),
      stopTask: ({ actor, params }) => tasks.stopTask(actor, params.taskId),
    },
    authenticate,
  );
};
