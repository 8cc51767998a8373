import { defineRoutes } from '../../shared/http/route.ts';

export const routes = defineRoutes({
  page: {
    method: 'GET',
    path: '/',
    auth: 'open',
    summary: 'The chat page; it signs people in and calls the same interface as every client',
  },
  file: {
    method: 'GET',
    path: '/assets/{version}/{name}',
    auth: 'open',
    summary: 'Scripts and styles of the page; another version leads to the current one',
    errors: ['not_found'],
  },
});
