import { defineRoutes } from '../../shared/http/route.ts';
import { connectionRoutes } from './contract/connection.ts';
import { descriptionRoutes } from './contract/description.ts';
import { modelRoutes } from './contract/model.ts';

/** The models of this installation, and the places they come from. */
export const routes = defineRoutes({ ...modelRoutes, ...descriptionRoutes, ...connectionRoutes });
