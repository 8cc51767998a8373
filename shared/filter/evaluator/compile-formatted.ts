import { allocateText, step } from '../budget.ts';
import type { Conversion, Field, FormatPart, Node } from '../syntax/node.ts';
import { format } from '../text/format.ts';
import { asciiOnly } from '../text/quote.ts';
import { repr, textOf } from '../text/repr.ts';
import type { Value } from '../values/value.ts';
import type { Run, Scope } from './scope.ts';

type Compile = (node: Node) => Run;
type Write = (scope: Scope) => string;

/** An f-string. */
export function compileFormatted(parts: readonly FormatPart[], compile: Compile): Write {
  const writes = parts.map((part): Write => (typeof part === 'string' ? () => part : compileField(part, compile)));
  return (scope) => {
    let text = '';
    for (const write of writes) {
      step();
      const part = write(scope);
      allocateText(part.length);
      text += part;
    }
    return text;
  };
}

function compileField({ value, conversion, spec }: Field, compile: Compile): Write {
  const run = compile(value);
  const writeSpec = spec && compileFormatted(spec, compile);
  return (scope) => format(convert(run(scope), conversion), writeSpec?.(scope) ?? '');
}

function convert(value: Value, conversion: Conversion | undefined): Value {
  switch (conversion) {
    case undefined:
      return value;
    case 's':
      return textOf(value);
    case 'r':
      return repr(value);
    case 'a':
      return asciiOnly(repr(value));
  }
}
