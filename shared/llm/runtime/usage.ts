import { numberAt, pick } from '../json-value.ts';
import type { Fields } from '../turn.ts';
import type { Usage } from '../turn-event.ts';

const DURATIONS = ['total_duration', 'load_duration', 'prompt_eval_duration', 'eval_duration'];
const COUNTS = ['prompt_eval_count', 'eval_count'];
const NANOS = 1e9;

/** The runtime counts and times; both are kept, and the rates its clients show are worked out here. */
export function decodeRuntimeUsage(done: Fields): Usage {
  const input = numberAt(done, 'prompt_eval_count') ?? 0;
  const output = numberAt(done, 'eval_count') ?? 0;
  const total = numberAt(done, 'total_duration');
  return {
    input,
    output,
    extra: {
      input_tokens: input,
      output_tokens: output,
      ...rate('response_token/s', output, numberAt(done, 'eval_duration')),
      ...rate('prompt_token/s', input, numberAt(done, 'prompt_eval_duration')),
      ...pick(done, [...DURATIONS, ...COUNTS]),
      ...(total !== undefined && { approximate_total: clock(total) }),
    },
  };
}

export const encodeRuntimeUsage = ({ input, output, extra = {} }: Usage): Fields => ({
  ...pick(extra, DURATIONS),
  prompt_eval_count: input,
  eval_count: output,
});

const rate = (name: string, tokens: number, nanos: number | undefined) =>
  nanos ? { [name]: Math.round((tokens / (nanos / NANOS)) * 100) / 100 } : {};

function clock(nanos: number): string {
  const seconds = Math.floor(nanos / NANOS);
  return `${Math.floor(seconds / 3600)}h${Math.floor((seconds % 3600) / 60)}m${seconds % 60}s`;
}
