import { isObject, parseJson } from './json-value.ts';

/** How far into a JSON value the pieces of a tool call's arguments have come. */
export interface ArgumentsScan {
  readonly depth: number;
  readonly inString: boolean;
  readonly escaped: boolean;
  readonly complete: boolean;
}

export const UNREAD: ArgumentsScan = { depth: 0, inString: false, escaped: false, complete: false };

/**
 * Follows arguments piece by piece until their outermost bracket closes. Reading each character once is what keeps
 * a long call linear; trying to parse the growing text after every piece would not be.
 */
export function scanArguments(scan: ArgumentsScan, piece: string): ArgumentsScan {
  if (scan.complete) return scan;
  let { depth, inString, escaped } = scan;
  for (const char of piece) {
    if (escaped) escaped = false;
    else if (inString && char === '\\') escaped = true;
    else if (char === '"') inString = !inString;
    else if (inString) continue;
    else if (char === '{' || char === '[') depth += 1;
    else if ((char === '}' || char === ']') && --depth === 0) return { ...UNREAD, complete: true };
  }
  return { depth, inString, escaped, complete: false };
}

/**
 * Arguments as the object that messages and runtime formats want. A model may write something else; its text is
 * then handed on under a name of its own, so the tool can refuse it and the model can see what it wrote.
 */
export function parseArguments(text: string): Readonly<Record<string, unknown>> {
  if (text.trim() === '') return {};
  const value = parseJson(text);
  return isObject(value) ? value : { raw_arguments: text };
}

/** The arguments as they were if they are an object, otherwise the object above: many servers fail on what their own model wrote. */
export const soundArguments = (text: string): string =>
  isObject(parseJson(text)) ? text : JSON.stringify(parseArguments(text));
