import { createAuthenticate } from '../../shared/identity/authenticate.ts';
import { httpHandler } from '../../shared/lambda/family.ts';
import { readPayload } from '../../shared/realtime/payloads.ts';
import { loadSettings } from '../../shared/settings/load.ts';
import { systemClock } from '../../shared/time.ts';
import { realtimeApi } from './api.ts';

const settings = await loadSettings();

export const endpoints = realtimeApi(
  (userId, payloadId) => readPayload(userId, payloadId, systemClock()),
  createAuthenticate(settings, systemClock),
);

export const handler = httpHandler(endpoints, settings);
