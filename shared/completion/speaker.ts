import { AppError } from '../errors.ts';
import { speakDemo } from './demo-model.ts';
import { withInlineImages } from './images.ts';
import type { Speak } from './speech.ts';
import type { Target } from './target.ts';
import { speakOver, type Way } from './upstream.ts';

/** Gives a target its voice. */
export type Speaker = (target: Target) => Speak;

export const createSpeaker =
  (way: Way, builtIns: Readonly<Record<string, Speak>> = { demo: speakDemo }): Speaker =>
  ({ via }) => {
    if (via.kind === 'server') return withInlineImages(way.outbound, via, speakOver(way, via));
    const speak = builtIns[via.name];
    if (!speak) throw new AppError('not_found', 'Model not found');
    return speak;
  };
