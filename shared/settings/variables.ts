import { audio } from './areas/audio.ts';
import { chat } from './areas/chat.ts';
import { identity } from './areas/identity.ts';
import { platform } from './areas/platform.ts';
import type { Variable } from './variable.ts';

/** Every setting of the platform, by area. `docs/settings.md` is generated from this. */
export const AREAS = { platform, identity, chat, audio };

export const VARIABLES = { ...platform, ...identity, ...chat, ...audio };

type ValueOf<V> = V extends Variable<infer T> ? T : never;
export type Settings = { readonly [K in keyof typeof VARIABLES]: ValueOf<(typeof VARIABLES)[K]> };
export type SettingName = keyof Settings;
