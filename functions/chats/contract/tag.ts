import * as z from 'zod';
import { Done, owned, Titles } from './answer.ts';

const Tag = z.object({ id: z.string(), name: z.string(), user_id: z.string(), meta: z.null() });
const TagName = z.object({ name: z.string().trim().min(1).max(100) });

export const tagRoutes = {
  listAllTags: {
    ...owned,
    method: 'GET',
    path: '/api/v1/chats/all/tags',
    summary: 'Every tag of the caller',
    returns: z.array(Tag),
  },
  listTags: {
    ...owned,
    method: 'GET',
    path: '/api/v1/chats/{chatId}/tags',
    summary: 'Tags of a chat',
    returns: z.array(Tag),
    errors: ['not_found'],
  },
  addTag: {
    ...owned,
    method: 'POST',
    path: '/api/v1/chats/{chatId}/tags',
    summary: 'Tag a chat',
    body: TagName,
    returns: z.array(Tag),
    errors: ['not_found', 'invalid_request'],
  },
  removeTag: {
    ...owned,
    method: 'DELETE',
    path: '/api/v1/chats/{chatId}/tags',
    summary: 'Take a tag from a chat',
    body: TagName,
    returns: z.array(Tag),
    errors: ['not_found'],
  },
  removeTags: {
    ...owned,
    method: 'DELETE',
    path: '/api/v1/chats/{chatId}/tags/all',
    summary: 'Take all tags from a chat',
    returns: Done,
    errors: ['not_found'],
  },
  listTagged: {
    ...owned,
    method: 'POST',
    path: '/api/v1/chats/tags',
    summary: 'Chats with a tag',
    body: TagName.extend({ skip: z.int().min(0).default(0), limit: z.int().min(1).max(500).default(50) }),
    returns: Titles,
  },
} as const;
