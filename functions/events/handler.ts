import { setTimeout as sleep } from 'node:timers/promises';
import { createEventLog } from '../../shared/events/event-log.ts';
import { sendToDispatcher } from '../../shared/events/message.ts';
import { createEventReader } from '../../shared/events/reader.ts';
import { createAuthenticate } from '../../shared/identity/authenticate.ts';
import { newId } from '../../shared/ids.ts';
import * as family from '../../shared/lambda/family.ts';
import { loadSettings } from '../../shared/settings/load.ts';
import { createSpill } from '../../shared/store/spill.ts';
import { createThrottle } from '../../shared/throttle/throttle.ts';
import { systemClock as now } from '../../shared/time.ts';
import { eventsApi } from './api.ts';
import { createLetters } from './letters.ts';
import { createRedelivery } from './redelivery.ts';
import { createHistory, createPublishing } from './service.ts';
import { createDeliveryStore, createTypeStore } from './store.ts';

const settings = await loadSettings();
const spill = createSpill();
const reader = createEventReader(spill);
const throttle = createThrottle(settings, now);

const letters = createLetters();
const history = createHistory({ reader, deliveries: createDeliveryStore(), letters });

const publishing = createPublishing({
  log: createEventLog({ spill, now, newId }),
  async demandRoom(tenant) {
    await throttle.take({ kind: 'publish', limit: 3000, windowMs: 60_000 }, tenant);
  },
});

export const endpoints = eventsApi(
  {
    publishing,
    history,
    redelivery: createRedelivery({ history, letters, send: sendToDispatcher, now, newId }),
    reader,
    types: createTypeStore(),
    now,
    pause: (ms, signal) => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined),
  },
  createAuthenticate(settings, now),
);

export const handler = family.httpHandler(endpoints, settings);
export const streamHandler = family.streamHandler(endpoints, settings);
