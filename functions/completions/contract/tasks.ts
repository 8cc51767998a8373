import * as z from 'zod';

const Stopped = z.object({ status: z.literal(true), message: z.string() });

export const taskRoutes = {
  tasks: {
    method: 'GET',
    path: '/api/tasks',
    auth: 'platform',
    summary: 'Every reply that is being written',
    returns: z.object({ tasks: z.array(z.string()) }),
  },
  tasksOfChat: {
    method: 'GET',
    path: '/api/tasks/chat/{chatId}',
    auth: 'user',
    summary: 'The replies that are being written into a chat',
    returns: z.object({ task_ids: z.array(z.string()) }),
  },
  stopChat: {
    method: 'POST',
    path: '/api/tasks/chat/{chatId}/stop',
    auth: 'user',
    summary: 'Stop them; what was said so far stays',
    returns: Stopped,
    errors: ['not_found'],
  },
  stopTask: {
    method: 'POST',
    path: '/api/tasks/stop/{taskId}',
    auth: 'signedIn',
    summary: 'Stop one of them: its owner or an operator',
    returns: Stopped,
    errors: ['not_found'],
  },
} as const;
