import { createApi, type Authenticate } from '../../shared/http/api.ts';
import { routes } from './routes.ts';
import type { Site } from './service.ts';

export const webApi = (site: Site, authenticate: Authenticate) =>
  createApi(
    routes,
    {
      page: ({ request }) => site.page(request),
      file: ({ params, request }) => site.file(params, request),
    },
    authenticate,
  );
