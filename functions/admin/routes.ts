import { defineRoutes } from '../../shared/http/route.ts';
import { authRoutes } from './auth-routes.ts';
import { operatorRoutes } from './operator-routes.ts';
import { platformRoutes } from './platform-routes.ts';

export const routes = defineRoutes({ ...authRoutes, ...operatorRoutes, ...platformRoutes });
