import { isGranted } from '../../shared/connections/grant.ts';
import { AppError, notFound } from '../../shared/errors.ts';
import type { UserActor } from '../../shared/identity/actor.ts';
import { usesOauth, type ToolServer } from '../../shared/tools/server.ts';

interface Session {
  readonly server: ToolServer;
  readonly userId: string;
}

interface Returned {
  readonly code?: string;
  readonly state?: string;
  readonly iss?: string;
  readonly error?: string;
}

export interface AuthorizationParts {
  readonly read: (id: string) => Promise<ToolServer | undefined>;
  readonly start: (session: Session) => Promise<URL>;
  readonly finish: (session: Session, returned: Returned) => Promise<void>;
  /** Says whether there was anything to forget. */
  readonly forget: (userId: string, serverId: string) => Promise<boolean>;
}

/** Every user connects MCP servers for themselves; what they were given is used for them alone. */
export function createServerAuthorization({ read, start, finish, forget }: AuthorizationParts) {
  const demand = async (actor: UserActor, client: string): Promise<ToolServer> => {
    const server = await read(serverIdIn(client));
    if (!server?.enable || !usesOauth(server) || !isGranted(server.access_grants, actor)) throw notFound('Tool server');
    return server;
  };
  return {
    async authorize(actor: UserActor, client: string) {
      const goTo = await start({ server: await demand(actor, client), userId: actor.userId });
      return redirect(goTo.href);
    },
    async callback(actor: UserActor, client: string, returned: Returned) {
      const server = await demand(actor, client);
      try {
        await finish({ server, userId: actor.userId }, returned);
        return redirect('/');
      } catch (failure) {
        if (failure instanceof AppError) return redirect(`/?error=${encodeURIComponent(failure.message)}`);
        throw failure;
      }
    },
    /** Also of a server that the user may no longer use. */
    async disconnect(actor: UserActor, client: string) {
      if (!(await forget(actor.userId, serverIdIn(client)))) throw notFound('Session');
      return true;
    },
  };
}

export type ServerAuthorization = ReturnType<typeof createServerAuthorization>;

function serverIdIn(client: string): string {
  if (!client.startsWith('mcp:')) throw notFound('Tool server');
  return client.slice('mcp:'.length);
}

/** A state or a code in the address must not be kept, nor be told to the next page. */
const redirect = (location: string) =>
  new Response(null, {
    status: 302,
    headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  });
