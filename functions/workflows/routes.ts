import { defineRoutes } from '../../shared/http/route.ts';
import { catalogRoutes } from './catalog-routes.ts';
import { reviewRoutes, snapshotRoutes } from './version-routes.ts';
import { workflowRoutes } from './workflow-routes.ts';

export const routes = defineRoutes({ ...workflowRoutes, ...reviewRoutes, ...snapshotRoutes, ...catalogRoutes });
