import * as z from 'zod';
import { Grant } from '../../../shared/connections/grant.ts';
import { LogEntry } from '../../../shared/plugins/logs.ts';
import { NewPlugin, PluginChange, PluginView } from './plugin.ts';

const Valves = z.record(z.string(), z.unknown());
const Spec = z.looseObject({ type: z.literal('object'), properties: z.record(z.string(), z.looseObject({})) });
const View = { auth: 'platform', returns: PluginView, errors: ['not_found'] } as const;
const CHANGE_ERRORS = ['not_found', 'stale_version', 'validation_failed'] as const;

/** The same routes for functions (filters, pipes, actions) and for tools. */
export const registryContract = <const Base extends `/${string}`>(base: Base, noun: string) => ({
  ...libraryRoutes(base, noun),
  ...singleRoutes(base, noun),
  ...switchRoutes(base),
  ...valveRoutes(base),
  ...userValveRoutes(base),
});

const libraryRoutes = <const Base extends `/${string}`>(base: Base, noun: string) =>
  ({
    list: {
      method: 'GET',
      path: base,
      auth: 'signedIn',
      summary: `Every ${noun} for operators; those a user may use for users`,
      returns: z.array(PluginView),
    },
    listToo: {
      method: 'GET',
      path: `${base}/list`,
      auth: 'signedIn',
      summary: 'The same under its older name',
      returns: z.array(PluginView),
    },
    export: {
      method: 'GET',
      path: `${base}/export`,
      auth: 'platform',
      summary: `Every ${noun} with its source, without valves`,
      returns: z.array(PluginView),
    },
    create: {
      method: 'POST',
      path: `${base}/create`,
      auth: 'platform',
      summary: `Upload a ${noun}; refused when its module does not load`,
      body: NewPlugin,
      returns: PluginView,
      errors: ['conflict', 'validation_failed'],
    },
  }) as const;

const singleRoutes = <const Base extends `/${string}`>(base: Base, noun: string) =>
  ({
    get: { ...View, method: 'GET', path: `${base}/id/{id}`, summary: `A ${noun} with its source` },
    update: {
      ...View,
      method: 'POST',
      path: `${base}/id/{id}/update`,
      summary: `Change a ${noun}`,
      body: PluginChange,
      errors: CHANGE_ERRORS,
    },
    delete: {
      method: 'DELETE',
      path: `${base}/id/{id}/delete`,
      auth: 'platform',
      summary: `Delete a ${noun}`,
      returns: z.boolean(),
      errors: ['not_found'],
    },
    logs: {
      method: 'GET',
      path: `${base}/id/{id}/logs`,
      auth: 'platform',
      summary: 'What it printed and how it failed, the newest first',
      query: z.object({ limit: z.coerce.number().int().min(1).max(200).default(50) }),
      returns: z.array(LogEntry),
      errors: ['not_found'],
    },
  }) as const;

const switchRoutes = <const Base extends `/${string}`>(base: Base) =>
  ({
    toggle: {
      ...View,
      method: 'POST',
      path: `${base}/id/{id}/toggle`,
      summary: 'Switch it on or off',
      errors: CHANGE_ERRORS,
    },
    toggleGlobal: {
      ...View,
      method: 'POST',
      path: `${base}/id/{id}/toggle/global`,
      summary: 'For every model, or only where a model names it',
      errors: CHANGE_ERRORS,
    },
    setAccess: {
      ...View,
      method: 'POST',
      path: `${base}/id/{id}/access/update`,
      summary: 'Who may use it',
      body: z.object({ access_grants: z.array(Grant).max(1000) }),
      errors: CHANGE_ERRORS,
    },
  }) as const;

const valveRoutes = <const Base extends `/${string}`>(base: Base) =>
  ({
    valves: {
      method: 'GET',
      path: `${base}/id/{id}/valves`,
      auth: 'platform',
      summary: 'What operators have set',
      returns: Valves,
      errors: ['not_found'],
    },
    valvesSpec: {
      method: 'GET',
      path: `${base}/id/{id}/valves/spec`,
      auth: 'platform',
      summary: 'What operators can set, as JSON Schema',
      returns: Spec,
      errors: ['not_found'],
    },
    setValves: {
      method: 'POST',
      path: `${base}/id/{id}/valves/update`,
      auth: 'platform',
      summary: 'Set valves; null puts one back to its default',
      body: Valves,
      returns: Valves,
      errors: CHANGE_ERRORS,
    },
  }) as const;

const userValveRoutes = <const Base extends `/${string}`>(base: Base) =>
  ({
    userValves: {
      method: 'GET',
      path: `${base}/id/{id}/valves/user`,
      auth: 'user',
      summary: 'What the caller has set',
      returns: Valves,
      errors: ['not_found'],
    },
    userValvesSpec: {
      method: 'GET',
      path: `${base}/id/{id}/valves/user/spec`,
      auth: 'user',
      summary: 'What the caller can set, as JSON Schema; null for what is switched off',
      returns: Spec.nullable(),
      errors: ['not_found'],
    },
    setUserValves: {
      method: 'POST',
      path: `${base}/id/{id}/valves/user/update`,
      auth: 'user',
      summary: 'Set valves of the caller',
      body: Valves,
      returns: Valves,
      errors: ['not_found', 'invalid_request', 'validation_failed'],
    },
  }) as const;
