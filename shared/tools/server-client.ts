import { AppError } from '../errors.ts';
import { parseJson } from '../llm/json-value.ts';
import type { Seal } from '../seal/seal.ts';
import { OauthClient } from './oauth/tokens.ts';
import type { ToolServer } from './server.ts';

const contextOf = (id: string) => ({ tenant: 'platform', field: `tool-server:${id}:client` });

export const sealClient = (seal: Seal, serverId: string, client: OauthClient) =>
  seal.close(JSON.stringify(client), contextOf(serverId));

/** The client that an operator has given for this server. */
export async function openClient(seal: Seal, { id, name, oauth }: ToolServer): Promise<OauthClient> {
  const opened = oauth?.client ? parseJson(await seal.open(oauth.client.sealed, contextOf(id))) : undefined;
  const read = OauthClient.safeParse(opened);
  if (!read.success) throw new AppError('not_available', `${name} has no OAuth client; an operator has to give one`);
  return read.data;
}
