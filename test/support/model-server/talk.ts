import { knobsOf, type Knobs } from './knobs.ts';

/** What a model is asked, free of the format it was asked in. */
export interface Question {
  readonly model: string;
  readonly text: string;
  readonly images: number;
  readonly tools: readonly string[];
  readonly hasToolResult: boolean;
}

/** What it says. Text comes in pieces that show whether characters survive. */
export interface Talk {
  readonly knobs: Knobs;
  readonly thinking: readonly string[];
  readonly pieces: readonly string[];
  readonly calls: readonly { readonly name: string; readonly arguments: Record<string, unknown> }[];
}

/** Echoes the question; `say: <text>` in it makes the model say exactly that. */
export function talkAbout(question: Question): Talk {
  const knobs = knobsOf(question.model);
  const wanted = question.hasToolResult ? 0 : knobs.has('tools') ? 2 : knobs.has('tool') ? 1 : 0;
  const calls = question.tools.slice(0, wanted).map((name) => ({ name, arguments: { city: 'Zürich', n: 1 } }));
  const said = /say: ([\s\S]+)$/.exec(question.text)?.[1];
  const seen = question.images > 0 ? ` I see ${question.images} image(s).` : '';
  const text = said ?? `You said: ${question.text}${seen} Grüße, €5 😀`;
  return {
    knobs,
    thinking: knobs.has('think') ? ['Let me ', 'think.'] : [],
    pieces: calls.length > 0 ? [] : piecesOf(text),
    calls,
  };
}

const piecesOf = (text: string) => text.match(/[\s\S]{1,4}/gu) ?? [];

export const USAGE = { prompt: 7, completion: 11 };
