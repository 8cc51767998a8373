import { allocateText } from '../budget.ts';
import { budgetError } from '../errors.ts';
import { lengthOf } from './code-points.ts';

export type Alignment = '<' | '>' | '^';

const MAX_WIDTH = 1_000_000;

export interface Padding {
  readonly width: number;
  readonly fill: string;
  readonly align: Alignment;
}

export function pad(text: string, { width, fill, align }: Padding): string {
  const missing = missingWidth(text, width);
  const before = align === '<' ? 0 : align === '>' ? missing : Math.floor(missing / 2);
  return fill.repeat(before) + text + fill.repeat(missing - before);
}

/** How many characters are missing to this width, paid for. */
export function missingWidth(text: string, width: number): number {
  const missing = width - lengthOf(text);
  if (missing <= 0) return 0;
  if (width > MAX_WIDTH) throw budgetError('format width too large');
  allocateText(width);
  return missing;
}
