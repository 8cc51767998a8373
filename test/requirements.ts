import { accounts } from './requirements/accounts.ts';
import { audio } from './requirements/audio.ts';
import { chats } from './requirements/chats.ts';
import { completions } from './requirements/completions.ts';
import { directory } from './requirements/directory.ts';
import { files } from './requirements/files.ts';
import { foundation } from './requirements/foundation.ts';
import { monitoring } from './requirements/monitoring.ts';
import { plugins } from './requirements/plugins.ts';
import type { Issue, Requirement, Statement } from './requirements/requirement.ts';
import { signing } from './requirements/signing.ts';
import { sso } from './requirements/sso.ts';
import { workflows } from './requirements/workflows.ts';

/** The whole interface of the service, one id per row or rule; tests cite the ids they prove. */
export const REQUIREMENTS = {
  ...requirementsOf('foundation', foundation),
  ...requirementsOf('accounts', accounts),
  ...requirementsOf('chat', chats),
  ...requirementsOf('chat', completions),
  ...requirementsOf('plugins', plugins),
  ...requirementsOf('workflows', workflows),
  ...requirementsOf('files', files),
  ...requirementsOf('audio', audio),
  ...requirementsOf('sso', sso),
  ...requirementsOf('directory', directory),
  ...requirementsOf('signing', signing),
  ...requirementsOf('monitoring', monitoring),
} as const satisfies Record<string, Requirement>;

export type RequirementId = keyof typeof REQUIREMENTS;

function requirementsOf<Id extends string>(issue: Issue, statements: Readonly<Record<Id, Statement>>) {
  const entries = Object.entries<Statement>(statements).map(([id, statement]) => [
    id,
    typeof statement === 'string' ? { text: statement, issue } : { ...statement, issue },
  ]);
  // Object.fromEntries forgets the literal keys it was given.
  return Object.fromEntries(entries) as Readonly<Record<Id, Requirement>>;
}
