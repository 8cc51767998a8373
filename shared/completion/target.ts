import type { UPSTREAM_FORMATS } from '../llm/upstream-formats.ts';
import type { Fields } from '../llm/turn.ts';

/** A model that may be called, and everything that calling it takes. */
export interface Target {
  /** The id by which callers know it. */
  readonly id: string;
  /** Runs on a local runtime, not at a provider. */
  readonly isLocal: boolean;
  /** Settings that come with the model; those of the request are laid over them. */
  readonly params: Fields;
  /** What else is said about the model, such as the filters that go with it. */
  readonly meta?: Fields;
  readonly via: Address | BuiltIn;
}

/** A model server. */
export interface Address {
  readonly kind: 'server';
  readonly format: keyof typeof UPSTREAM_FORMATS;
  /** Without a slash at the end; each format adds its own path. */
  readonly baseUrl: string;
  /** The model's name there. */
  readonly model: string;
  /** Credentials and whatever else the connection wants sent. */
  readonly headers: Readonly<Record<string, string>>;
  /** An operator named this address, so it may be a private one. */
  readonly trusted: boolean;
}

/** A model that is part of this program. */
export interface BuiltIn {
  readonly kind: 'built-in';
  readonly name: string;
}
