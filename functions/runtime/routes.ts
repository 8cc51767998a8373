import { defineRoutes } from '../../shared/http/route.ts';
import { compatibleRoutes } from './contract/compatible.ts';
import { configRoutes } from './contract/config.ts';
import { nativeRoutes } from './contract/native.ts';

/** The way through to local model runtimes, under their own paths. */
export const routes = defineRoutes({ ...nativeRoutes, ...compatibleRoutes, ...configRoutes });
