const PYTHON_NAMES = {
  name: 'NameError',
  type: 'TypeError',
  value: 'ValueError',
  key: 'KeyError',
  index: 'IndexError',
  attribute: 'AttributeError',
  overflow: 'OverflowError',
  recursion: 'RecursionError',
  'zero-division': 'ZeroDivisionError',
  'stop-iteration': 'StopIteration',
  unsupported: 'UnsupportedError',
  budget: 'BudgetError',
} as const;

export type FilterErrorKind = keyof typeof PYTHON_NAMES;

/** What an expression raised while it ran. As text it reads like Python: "KeyError: 'amount'". */
export class FilterError extends Error {
  readonly kind: FilterErrorKind;

  constructor(kind: FilterErrorKind, message: string) {
    super(message);
    this.kind = kind;
    this.name = PYTHON_NAMES[kind];
  }
}

/** Where and why a source does not compile. Lines and columns count from 1, the offset from 0. */
export class FilterSyntaxError extends Error {
  override readonly name = 'SyntaxError';
  readonly offset: number;
  readonly line: number;
  readonly column: number;

  constructor(message: string, source: string, offset: number) {
    super(message);
    const before = source.slice(0, offset);
    this.offset = offset;
    this.line = before.split('\n').length;
    this.column = offset - before.lastIndexOf('\n');
  }
}

export const typeError = (message: string) => new FilterError('type', message);
export const valueError = (message: string) => new FilterError('value', message);
export const budgetError = (message: string) => new FilterError('budget', message);
export const unsupported = (message: string) => new FilterError('unsupported', message);
export const zeroDivision = (message: string) => new FilterError('zero-division', message);
