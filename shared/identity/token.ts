import * as z from 'zod';
import { AppError } from '../errors.ts';
import type { Settings } from '../settings/variables.ts';
import { TOKEN_TYPE } from './names.ts';

/** What a login token says. `tv` must still equal the account's token version when it is used. */
export const Claims = z.object({
  sub: z.string(),
  jti: z.string(),
  iat: z.number(),
  exp: z.number(),
  tv: z.number(),
  acct: z.enum(['user', 'admin']),
  org: z.string().nullish(),
  role: z.string().optional(),
  amr: z.array(z.string()).optional(),
});
export type Claims = z.output<typeof Claims>;

export interface Tokens {
  sign(claims: Omit<Claims, 'iat'> & { readonly iat: number }): Promise<string>;
  verify(token: string): Promise<Claims>;
}

const ALGORITHM = 'HS512';
const AUDIENCE = 'svc';

/** Loaded with the first token: requests that show a key start without it. */
const jose = () => import('./jwt.ts');

type TokenSettings = Pick<Settings, 'JWT_SECRET' | 'JWT_SECRET_PREVIOUS' | 'SVC_URL'>;

export function createTokens(settings: TokenSettings): Tokens {
  const current = new TextEncoder().encode(settings.JWT_SECRET);
  const previous = settings.JWT_SECRET_PREVIOUS ? new TextEncoder().encode(settings.JWT_SECRET_PREVIOUS) : undefined;
  const options = {
    algorithms: [ALGORITHM],
    issuer: settings.SVC_URL,
    audience: AUDIENCE,
    typ: TOKEN_TYPE,
    clockTolerance: 5,
  };
  const verifyWith = async (token: string, secret: Uint8Array) =>
    Claims.parse((await (await jose()).jwtVerify(token, secret, options)).payload);
  return {
    sign: async (claims) =>
      new (await jose()).SignJWT({ ...claims })
        .setProtectedHeader({ alg: ALGORITHM, typ: TOKEN_TYPE })
        .setIssuer(settings.SVC_URL)
        .setAudience(AUDIENCE)
        .sign(current),
    verify: (token) =>
      verifyWith(token, current)
        .catch((error: unknown) => {
          if (previous && isCode(error, 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED')) return verifyWith(token, previous);
          throw error;
        })
        .catch(refuse),
  };
}

const isCode = (error: unknown, code: string) => error instanceof Error && 'code' in error && error.code === code;

function refuse(error: unknown): never {
  if (isCode(error, 'ERR_JWT_EXPIRED')) throw new AppError('token_expired', 'The token has expired', { cause: error });
  throw new AppError('unauthenticated', 'The token is not valid', {
    cause: error,
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  });
}
