import { compileFilter, type Expression, type SyntaxProblem } from '../filter/compile.ts';
import { compileTemplate } from '../filter/template.ts';
import type { TextProblem, TextScope } from './check-config.ts';
import type { ConfigText } from './kinds/spec.ts';
import { nodeReferences } from './node-references.ts';

/** Whether a text compiles and names only what exists by the time its node runs. */
export function checkText(text: ConfigText, scope: TextScope): readonly TextProblem[] {
  const expressions = expressionsOf(text);
  if ('error' in expressions) return [syntaxProblem(expressions.error)];
  return expressions.found.flatMap((expression) => [
    ...expression.names.filter((name) => !scope.names.includes(name)).map((name) => unknownName(name, scope)),
    ...[...nodeReferences(expression.root)].flatMap((id) => checkReference(id, scope)),
  ]);
}

function expressionsOf({ source, form }: ConfigText): { found: readonly Expression[] } | { error: SyntaxProblem } {
  if (form === 'expression') {
    const compiled = compileFilter(source);
    return compiled.ok ? { found: [compiled.expression] } : { error: compiled.error };
  }
  const compiled = compileTemplate(source);
  if (!compiled.ok) return { error: compiled.error };
  return { found: compiled.template.parts.filter((part) => typeof part !== 'string') };
}

const syntaxProblem = ({ message, offset, line, column }: SyntaxProblem): TextProblem => ({
  code: 'bad_expression',
  message: `${message} (line ${line}, column ${column})`,
  position: { offset, line, column },
});

const unknownName = (name: string, { names }: TextScope): TextProblem => ({
  code: 'unknown_name',
  message: `There is no variable called "${name}"; there are ${names.join(', ')}`,
});

function checkReference(id: string, { known, upstream }: TextScope): TextProblem[] {
  if (!known.has(id)) return [{ code: 'unknown_reference', message: `There is no node called "${id}"` }];
  if (upstream.has(id)) return [];
  return [
    { code: 'not_upstream', message: `The output of "${id}" is not there yet: it does not come before this node` },
  ];
}
