import { schemaMisfit } from '../../shared/workflow/fits-schema.ts';

export type Checked =
  | { readonly ok: true; readonly data: unknown }
  /** What to tell the model. */
  | { readonly ok: false; readonly problem: string };

/** Whether an answer is the JSON that was asked for; without a schema every answer is. */
export function checkAnswer(schema: Record<string, unknown> | undefined, text: string): Checked {
  if (!schema) return { ok: true, data: undefined };
  const parsed = parseJson(text);
  if (!parsed) return { ok: false, problem: 'The answer must be JSON and nothing else. Answer again.' };
  const misfit = schemaMisfit(schema, parsed.value);
  if (misfit === undefined) return { ok: true, data: parsed.value };
  return { ok: false, problem: `The answer does not fit the schema:\n${misfit}\nAnswer again with JSON only.` };
}

/** Models like to wrap JSON in a fenced block. */
function parseJson(text: string): { value: unknown } | undefined {
  const inner = /^\s*```(?:json)?\s*([\s\S]*?)\s*```\s*$/.exec(text)?.[1] ?? text;
  try {
    return { value: JSON.parse(inner) as unknown };
  } catch {
    return undefined;
  }
}
