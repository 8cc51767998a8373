export const ISSUES = [
  'foundation',
  'accounts',
  'chat',
  'plugins',
  'workflows',
  'files',
  'audio',
  'sso',
  'directory',
  'signing',
  'monitoring',
] as const;

export type Issue = (typeof ISSUES)[number];

export interface Requirement {
  readonly text: string;
  readonly issue: Issue;
  /** Why no test proves it; a deferred requirement is neither open nor proved. */
  readonly deferred?: string;
}

/** What an area file writes per id: the sentence alone, or the sentence with the reason it is put off. */
export type Statement = string | { readonly text: string; readonly deferred: string };
