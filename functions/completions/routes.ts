import { defineRoutes } from '../../shared/http/route.ts';
import { completionRoutes } from './contract/completion.ts';
import { formatRoutes } from './contract/formats.ts';
import { taskRoutes } from './contract/tasks.ts';

/** Asking models, in three formats, and the replies that are being written. */
export const routes = defineRoutes({ ...completionRoutes, ...formatRoutes, ...taskRoutes });
