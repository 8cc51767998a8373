import { createApi, type Authenticate } from '../../shared/http/api.ts';
import type { Settings } from '../../shared/settings/variables.ts';
import { documentationAsset, documentationPage } from './documentation.ts';
import { routes } from './routes.ts';
import { checkHealth, clientConfig, demandDev, type Probes } from './service.ts';

interface Parts {
  readonly settings: Settings;
  readonly probes: Probes;
  readonly version: string;
  readonly deploymentId: string;
  readonly openapi: () => { openapi: string };
}

export const opsApi = ({ settings, probes, version, deploymentId, openapi }: Parts, authenticate: Authenticate) =>
  createApi(
    routes,
    {
      health: () => checkHealth(probes),
      healthDb: () => checkHealth(probes),
      ready: () => checkHealth(probes),
      version: () => ({ version, deployment_id: deploymentId }),
      config: ({ actor }) => clientConfig(settings, version, actor),
      openapi: () => {
        demandDev(settings);
        return openapi();
      },
      docs: () => {
        demandDev(settings);
        return documentationPage(settings.SVC_NAME);
      },
      docsAsset: ({ params }) => {
        demandDev(settings);
        return documentationAsset(params.asset);
      },
    },
    authenticate,
  );
