import type * as z from 'zod';

/** A text inside a configuration that the expression language reads. */
export interface ConfigText {
  /** Where it stands below the node's configuration. */
  readonly path: readonly (string | number)[];
  readonly source: string;
  readonly form: 'expression' | 'template';
}

/** One kind of node: how it is configured, where it can lead, and what in it must compile. */
export interface KindSpec<S extends z.ZodType> {
  readonly title: string;
  readonly summary: string;
  readonly config: S;
  /** The ways out besides `error`. */
  readonly handles: (config: z.output<S>) => readonly string[];
  readonly texts: (config: z.output<S>) => readonly ConfigText[];
  /** A reason why no node of this kind can run on this installation. */
  readonly unavailable?: string;
  /** What passes its input on has exactly one way out, so these cannot be switched off. */
  readonly alwaysOn?: true;
}

export const defineKind = <S extends z.ZodType>(spec: KindSpec<S>): KindSpec<S> => spec;

type Path = ConfigText['path'];

export const expressionAt = (path: Path, source: string | undefined): ConfigText[] =>
  source === undefined ? [] : [{ path, source, form: 'expression' }];

/** Every string in a value is a template, however deep it stands. */
export function templatesIn(path: Path, value: unknown): ConfigText[] {
  if (typeof value === 'string') return [{ path, source: value, form: 'template' }];
  if (Array.isArray(value)) return value.flatMap((item, at) => templatesIn([...path, at], item));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => templatesIn([...path, key], part));
}
