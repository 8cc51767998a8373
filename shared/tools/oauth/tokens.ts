import * as z from 'zod';

/** How this installation is known to an authorization server. */
export const OauthClient = z.object({
  id: z.string(),
  secret: z.string().optional(),
  /** How the secret is shown, where the authorization server has said so. */
  method: z.string().optional(),
});
export type OauthClient = z.output<typeof OauthClient>;

/** Where tokens for a resource come from. Kept with what was given there, so that it is shown to nobody else. */
export const TokenSource = z.object({
  issuer: z.string(),
  token_endpoint: z.string(),
  revocation_endpoint: z.string().optional(),
  auth_methods: z.array(z.string()),
  resource: z.string(),
  client: OauthClient,
});
export type TokenSource = z.output<typeof TokenSource>;

/** What a person was given. */
export const Tokens = TokenSource.extend({
  access_token: z.string(),
  refresh_token: z.string().optional(),
  /** When it should no longer be used, a little before it ends. Null when nobody knows. */
  use_until: z.number().nullable(),
});
export type Tokens = z.output<typeof Tokens>;

export const TokenAnswer = z.object({
  access_token: z.string().min(1),
  token_type: z.string().regex(/^bearer$/i),
  expires_in: z.coerce.number().positive().optional(),
  refresh_token: z.string().min(1).optional(),
});
export type TokenAnswer = z.output<typeof TokenAnswer>;

const MARGIN_SECONDS = 30;

/** A refresh token stays good until another one comes in its place. */
export function tokensFrom(answer: TokenAnswer, source: TokenSource & { refresh_token?: string }, now: number): Tokens {
  const { expires_in: lasts } = answer;
  const margin = lasts === undefined ? 0 : Math.min(MARGIN_SECONDS, lasts / 10);
  return {
    ...source,
    access_token: answer.access_token,
    refresh_token: answer.refresh_token ?? source.refresh_token,
    use_until: lasts === undefined ? null : now + (lasts - margin) * 1000,
  };
}
