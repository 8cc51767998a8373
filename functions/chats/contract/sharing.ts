import * as z from 'zod';
import { ChatAnswer, ChatHead, Done, owned, Titles } from './answer.ts';

const Seconds = z.int().min(0).max(99_999_999_999);

const Imported = z.object({
  chat: z.looseObject({}),
  meta: z.looseObject({ tags: z.array(z.string()).optional() }).nullish(),
  pinned: z.boolean().nullish(),
  folder_id: z.string().nullish(),
  created_at: Seconds.nullish(),
  updated_at: Seconds.nullish(),
});

export const sharingRoutes = {
  shareChat: {
    ...owned,
    method: 'POST',
    path: '/api/v1/chats/{chatId}/share',
    summary: 'Make a snapshot that signed-in people may read, or renew it',
    returns: ChatHead,
    errors: ['not_found'],
  },
  unshareChat: {
    ...owned,
    method: 'DELETE',
    path: '/api/v1/chats/{chatId}/share',
    summary: 'Withdraw the snapshot',
    returns: z.boolean(),
    errors: ['not_found'],
  },
  listShared: {
    ...owned,
    method: 'GET',
    path: '/api/v1/chats/shared',
    summary: 'Own chats that are shared',
    returns: Titles,
  },
  unshareAll: {
    ...owned,
    method: 'DELETE',
    path: '/api/v1/chats/share/all',
    summary: 'Withdraw all snapshots',
    returns: Done,
  },
  getShared: {
    ...owned,
    auth: 'signedIn',
    method: 'GET',
    path: '/api/v1/chats/share/{shareId}',
    summary: 'A shared snapshot',
    returns: ChatAnswer,
    mayStream: true,
    errors: ['not_found'],
  },
  cloneChat: {
    ...owned,
    method: 'POST',
    path: '/api/v1/chats/{chatId}/clone',
    summary: 'Copy a chat',
    body: z.object({ title: z.string().optional() }).default({}),
    returns: ChatAnswer,
    mayStream: true,
    errors: ['not_found'],
  },
  cloneShared: {
    ...owned,
    method: 'POST',
    path: '/api/v1/chats/{shareId}/clone/shared',
    summary: 'Copy a shared snapshot into an own chat',
    returns: ChatAnswer,
    mayStream: true,
    errors: ['not_found'],
  },
  importChats: {
    ...owned,
    method: 'POST',
    path: '/api/v1/chats/import',
    summary: 'Import exported chats',
    body: z.object({ chats: z.array(Imported).min(1).max(1000) }),
    returns: z.array(ChatHead),
    errors: ['validation_failed'],
  },
  exportChats: {
    ...owned,
    method: 'GET',
    path: '/api/v1/chats/all',
    summary: 'Every own chat, one JSON document per line',
    mayStream: true,
  },
  exportArchived: {
    ...owned,
    method: 'GET',
    path: '/api/v1/chats/all/archived',
    summary: 'Every archived chat, one JSON document per line',
    mayStream: true,
  },
} as const;
