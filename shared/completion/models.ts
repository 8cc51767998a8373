import type { UserActor } from '../identity/actor.ts';
import type { Target } from './target.ts';

/** What completions ask of the catalogue of models. */
export interface Models {
  /** The model under this id; one that is unknown and one that is not for this user are refused alike. */
  find(actor: UserActor, id: string): Promise<Target>;
  /** The model that an operator has chosen for the gateway's own small tasks, whoever they are done for. */
  findForService(id: string): Promise<Target | undefined>;
}
