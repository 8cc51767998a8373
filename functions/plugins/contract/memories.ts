import * as z from 'zod';
import { Memory } from '../../../shared/tools/memories.ts';

export const memoryRoutes = {
  memories: {
    method: 'GET',
    path: '/api/v1/memories',
    auth: 'user',
    summary: 'What models may remember about the caller',
    returns: z.array(Memory),
    errors: ['not_available'],
  },
  addMemory: {
    method: 'POST',
    path: '/api/v1/memories/add',
    auth: 'user',
    summary: 'Remember something',
    body: z.object({ content: z.string().trim().min(1).max(2000) }),
    returns: Memory,
    errors: ['conflict', 'not_available', 'validation_failed'],
  },
  deleteMemory: {
    method: 'DELETE',
    path: '/api/v1/memories/{id}',
    auth: 'user',
    summary: 'Forget something',
    returns: z.boolean(),
    errors: ['not_found', 'not_available'],
  },
} as const;
