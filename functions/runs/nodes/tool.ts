import { NO_USAGE } from '../../../shared/workflow/run-record.ts';
import { callTool } from '../call-tool.ts';
import { renderDeep } from '../expressions.ts';
import { variablesIn } from '../frame.ts';
import type { Job, NodeDone } from '../job.ts';
import { jsonOutput } from './flow.ts';

const DEFAULT_SECONDS = 30;

export async function runTool({ node, session, frame, stepId, signal }: Job<'tool'>): Promise<NodeDone> {
  const { tool_id, arguments: args, timeout_s = DEFAULT_SECONDS } = node.config;
  const { value, rows, emitted } = await callTool(session, {
    toolId: tool_id,
    args: renderDeep(args, variablesIn(frame)),
    stepId,
    callId: '1',
    signal,
    timeoutMs: timeout_s * 1000,
  });
  const usage = { ...NO_USAGE, tool_calls: 1 };
  return { kind: 'done', output: jsonOutput(value), taken: ['out'], usage, rows, emitted };
}
