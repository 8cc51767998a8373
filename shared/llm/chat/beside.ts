import { without } from '../json-value.ts';
import type { Fields } from '../turn.ts';

const NAMED = [
  'id',
  'object',
  'created',
  'model',
  'choices',
  'usage',
  'system_fingerprint',
  'service_tier',
  'obfuscation',
];

/** What a chunk or a completion carries beside the answer, such as sources. */
export const besideAnswer = (body: Fields): Fields | undefined => without(body, NAMED);
