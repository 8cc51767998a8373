import * as z from 'zod';
import type { Operation } from '../../shared/store/transaction.ts';
import { METHODS } from '../../shared/workflow/kinds/work.ts';
import { isBuiltInTool, type BuiltInTool } from '../../shared/workflow/tools.ts';
import { emitEvent } from './emit.ts';
import { NodeFailure } from './failure.ts';
import { callHttp } from './http-call.ts';
import type { Session } from './session.ts';

export interface ToolCall {
  readonly toolId: string;
  readonly args: unknown;
  readonly stepId: string;
  /** Unique within the step, and the same when the call is repeated. */
  readonly callId: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

export interface ToolResult {
  readonly value: unknown;
  /** Rows that must be written with the result or not at all. */
  readonly rows: readonly Operation[];
  readonly emitted: readonly string[];
}

export async function callTool(session: Session, call: ToolCall): Promise<ToolResult> {
  if (!isBuiltInTool(call.toolId)) throw new NodeFailure('unknown_tool', `There is no tool called "${call.toolId}"`);
  return TOOLS[call.toolId](session, call);
}

const TOOLS: Record<BuiltInTool, (session: Session, call: ToolCall) => Promise<ToolResult>> = {
  emit_event: emit,
  http_request: request,
};

const EmitArguments = z.object({
  event_type: z.string(),
  payload: z.unknown(),
  correlation_id: z.union([z.string().min(1).max(256), z.number().transform(String)]).nullish(),
});

async function emit(session: Session, call: ToolCall): Promise<ToolResult> {
  const { event_type, payload, correlation_id } = read(EmitArguments, call.args);
  const { event_id, operation } = await emitEvent(session, {
    event_type,
    payload: decoded(payload),
    correlation_id: correlation_id ?? undefined,
    stepId: call.stepId,
    call: call.callId,
  });
  return { value: { event_id, event_type }, rows: [operation], emitted: [event_id] };
}

/** The payload comes as a JSON-encoded string; models that send the value itself are understood too. */
function decoded(payload: unknown): unknown {
  if (typeof payload !== 'string') return payload ?? {};
  try {
    return JSON.parse(payload);
  } catch (cause) {
    throw new NodeFailure('bad_arguments', 'payload is not a JSON-encoded string', { cause });
  }
}

const HttpArguments = z.object({
  method: z.enum(METHODS).default('GET'),
  url: z.string(),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.unknown().optional(),
});

async function request(session: Session, call: ToolCall): Promise<ToolResult> {
  const { method, url, headers, body } = read(HttpArguments, call.args);
  const value = await callHttp(session, {
    method,
    url,
    headers,
    body: body === undefined || body === null ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    idempotencyKey: `${session.run.run_id}:${call.stepId}:${call.callId}`,
    signal: call.signal,
    timeoutMs: call.timeoutMs,
  });
  return { value, rows: [], emitted: [] };
}

function read<S extends z.ZodType>(schema: S, args: unknown): z.output<S> {
  const result = schema.safeParse(args);
  if (result.success) return result.data;
  throw new NodeFailure('bad_arguments', `The arguments do not fit: ${z.prettifyError(result.error)}`);
}
