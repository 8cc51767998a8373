import { AppError } from '../errors.ts';
import type { Speak } from './speech.ts';
import type { Target } from './target.ts';
import { speakOver, type Way } from './upstream.ts';

/** Gives a target its voice. */
export type Speaker = (target: Target) => Speak;

export interface BuiltIns {
  readonly named?: Readonly<Record<string, Speak>>;
  /** For names that are not among them: models that plugins bring along. */
  readonly otherwise?: (name: string) => Speak;
}

export const createSpeaker =
  (way: Way, { named = { demo: speakDemo }, otherwise }: BuiltIns = {}): Speaker =>
  ({ via }) => {
    if (via.kind === 'server')
      return via.format === 'runtime' ? withImages(way, speakOver(way, via)) : speakOver(way, via);
    const speak = named[via.name] ?? otherwise?.(via.name);
    if (!speak) throw new AppError('not_found', 'Model not found');
    return speak;
  };

/** Both are loaded with the first request that needs them. */
const speakDemo: Speak = async (ask, signal) => (await import('./demo-model.ts')).speakDemo(ask, signal);
const withImages =
  ({ outbound }: Way, speak: Speak): Speak =>
  async (ask, signal) =>
    (await import('./images.ts')).withInlineImages(outbound, speak)(ask, signal);
