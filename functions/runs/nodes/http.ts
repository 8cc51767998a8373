import type { Json } from '../../../shared/filter/json.ts';
import { renderDeep, renderText } from '../expressions.ts';
import { NodeFailure } from '../failure.ts';
import { variablesIn } from '../frame.ts';
import { callHttp } from '../http-call.ts';
import { done, type Job, type NodeDone } from '../job.ts';
import { jsonOutput } from './flow.ts';

const DEFAULT_SECONDS = 30;

export async function runHttp({ node, session, frame, stepId, signal }: Job<'http'>): Promise<NodeDone> {
  const { method, url, headers, query, body, expect_status, timeout_s = DEFAULT_SECONDS } = node.config;
  const variables = variablesIn(frame);
  const texts = (fields: Readonly<Record<string, string>>) =>
    Object.entries(fields).map(([name, source]) => [name, renderText(source, variables)] as const);
  const payload = encodeBody(body === undefined ? undefined : renderDeep(body, variables));
  const answer = await callHttp(session, {
    method,
    url: withQuery(renderText(url, variables), texts(query)),
    headers: { ...payload.headers, ...Object.fromEntries(texts(headers)) },
    body: payload.text,
    idempotencyKey: `${session.run.run_id}:${stepId}:1`,
    signal,
    timeoutMs: timeout_s * 1000,
    expectStatus: expect_status,
  });
  return done(jsonOutput(answer));
}

/** Text is sent as it is, everything else as JSON. */
function encodeBody(body: Json | undefined): { text: string | undefined; headers: Record<string, string> } {
  if (body === undefined) return { text: undefined, headers: {} };
  if (typeof body === 'string') return { text: body, headers: { 'content-type': 'text/plain; charset=utf-8' } };
  return { text: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}

function withQuery(address: string, fields: readonly (readonly [string, string])[]): string {
  if (!URL.canParse(address))
    throw new NodeFailure('bad_address', `"${address.slice(0, 200)}" is not a complete address`);
  const url = new URL(address);
  for (const [name, value] of fields) url.searchParams.append(name, value);
  return url.href;
}
