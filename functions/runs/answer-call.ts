import { ConditionFailed } from '../../shared/store/dynamodb.ts';
import { callTool, type ToolResult } from './call-tool.ts';
import type { AskedCall, Turn } from './conversation.ts';
import { asNodeFailure, LeaseLost, RunCancelled } from './failure.ts';
import type { Job } from './job.ts';
import { commitRows, turnWrite } from './store.ts';

const TOOL_SECONDS = 30;

/** Runs one tool call and stores its result; an event it publishes is written in the same transaction. */
export async function answerCall(job: Job<'agent'>, turns: Turn[], call: AskedCall): Promise<void> {
  const { session, stepId } = job;
  const { ports, held, ttl } = session;
  const result = await attempt(job, call);
  const turn: Turn = {
    message: { role: 'tool', tool_call_id: call.id, content: JSON.stringify(result.value) },
    emitted: [...result.emitted],
  };
  const row = await turnWrite(ports.spill, held, { stepId, at: turns.length, turn, ttl });
  await commitRows(held, [row, ...result.rows]).catch((error: unknown) => {
    // The event stands already: only its answer is missing.
    if (error instanceof ConditionFailed && error.what === 'event') return commitRows(held, [row]);
    throw error;
  });
  turns.push(turn);
}

/** A tool that fails tells the model so; only the end of the run itself ends the conversation. */
async function attempt(job: Job<'agent'>, call: AskedCall): Promise<ToolResult> {
  const { session, node, stepId, signal } = job;
  const { name, arguments: text } = call.function;
  try {
    if (!node.config.tools.some(({ tool_id }) => tool_id === name)) return failed(`There is no tool called "${name}"`);
    return await callTool(session, {
      toolId: name,
      args: parseArguments(text),
      stepId,
      callId: call.id,
      signal,
      timeoutMs: TOOL_SECONDS * 1000,
    });
  } catch (error) {
    if (error instanceof LeaseLost || error instanceof RunCancelled || signal.aborted) throw error;
    return failed(asNodeFailure(error).message);
  }
}

const failed = (error: string): ToolResult => ({ value: { error }, rows: [], emitted: [] });

function parseArguments(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
