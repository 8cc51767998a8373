import { toOpenApi } from '../../shared/http/openapi.ts';
import { createAuthenticate } from '../../shared/identity/authenticate.ts';
import { httpHandler } from '../../shared/lambda/family.ts';
import { fromEnvironment } from '../../shared/settings/environment.ts';
import { loadSettings } from '../../shared/settings/load.ts';
import { systemClock } from '../../shared/time.ts';
import { VERSION } from '../../shared/version.ts';
import { opsApi } from './api.ts';
import { CONTRACTS } from '../contracts.ts';
import { createProbes } from './store.ts';

const settings = await loadSettings();

const openapi = () =>
  toOpenApi({ title: settings.SVC_NAME, version: VERSION, server: settings.SVC_URL, families: CONTRACTS });

export const endpoints = opsApi(
  {
    settings,
    probes: createProbes(),
    version: VERSION,
    deploymentId: fromEnvironment('AWS_LAMBDA_FUNCTION_VERSION') ?? 'local',
    openapi,
  },
  createAuthenticate(settings, systemClock),
);

export const handler = httpHandler(endpoints, settings);
