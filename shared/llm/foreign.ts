import { AppError } from '../errors.ts';
import type { Fields, ForeignPart, Origin } from './turn.ts';

/** Content or a tool of the format being written passes as it came; another format's cannot be translated. */
export function passForeign(part: ForeignPart, format: Origin): Fields {
  if (part.origin === format) return part.value;
  throw unsupported(typeof part.value.type === 'string' ? part.value.type : 'unknown');
}

export const unsupported = (what: string) =>
  new AppError('invalid_request', `"${what}" cannot be sent to this model: its connection has nothing like it`);
