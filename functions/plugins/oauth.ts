import { isGranted } from '../../shared/connections/grant.ts';
import { AppError, notFound } from '../../shared/errors.ts';
import type { UserActor } from '../../shared/identity/actor.ts';
import type { ToolServer } from '../../shared/tools/server.ts';

interface Session {
  readonly server: ToolServer;
  readonly userId: string;
}

export interface AuthorizationParts {
  readonly read: (id: string) => Promise<ToolServer | undefined>;
  readonly start: (session: Session) => Promise<URL | undefined>;
  readonly finish: (session: Session, answer: { code: string; state: string }) => Promise<void>;
  readonly remove: (userId: string, serverId: string) => Promise<boolean>;
}

interface Returned {
  readonly code?: string;
  readonly state?: string;
  readonly error?: string;
}

/** Every user connects MCP servers for themselves; what they were given is used for them alone. */
export function createServerAuthorization({ read, start, finish, remove }: AuthorizationParts) {
  const demand = async (actor: UserActor, client: string): Promise<ToolServer> => {
    const server = client.startsWith('mcp:') ? await read(client.slice('mcp:'.length)) : undefined;
    const isTheirs = server?.enable && server.auth_type === 'oauth_2.1' && isGranted(server.access_grants, actor);
    if (!server || !isTheirs) throw notFound('Tool server');
    return server;
  };
  return {
    async authorize(actor: UserActor, client: string) {
      const goTo = await start({ server: await demand(actor, client), userId: actor.userId });
      return redirect(goTo?.toString() ?? '/');
    },
    async callback(actor: UserActor, client: string, { code, state, error }: Returned) {
      const server = await demand(actor, client);
      if (error !== undefined || !code || !state) return redirect(withError(error ?? 'The answer is incomplete'));
      try {
        await finish({ server, userId: actor.userId }, { code, state });
        return redirect('/');
      } catch (failure) {
        if (failure instanceof AppError) return redirect(withError(failure.message));
        throw failure;
      }
    },
    async disconnect(actor: UserActor, client: string) {
      const server = await demand(actor, client);
      if (!(await remove(actor.userId, server.id))) throw notFound('Session');
      return true;
    },
  };
}

export type ServerAuthorization = ReturnType<typeof createServerAuthorization>;

const redirect = (location: string) => new Response(null, { status: 302, headers: { location } });
const withError = (text: string) => `/?error=${encodeURIComponent(text)}`;
