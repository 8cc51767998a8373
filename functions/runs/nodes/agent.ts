import type { Reply } from '../../../shared/llm/reply.ts';
import type { AgentConfig } from '../../../shared/workflow/kinds/work.ts';
import { BUILT_IN_TOOLS, isBuiltInTool } from '../../../shared/workflow/tools.ts';
import { answerOf, conversationSchema, openCalls, usageOfTurns, type Turn } from '../conversation.ts';
import { answerCall } from '../answer-call.ts';
import { NodeFailure } from '../failure.ts';
import type { Job, NodeEnd } from '../job.ts';
import { commitRows, loadTurns, turnWrite } from '../store.ts';
import { flush } from '../session.ts';
import { firstMessages } from '../first-messages.ts';
import { checkAnswer } from '../check-answer.ts';
import { jsonOutput } from './flow.ts';

/**
 * A plain loop over the model. Every turn is stored before anything follows from it, so whoever goes on after a crash
 * goes on with the same words and the same tool calls.
 */
export async function runAgent(job: Job<'agent'>): Promise<NodeEnd> {
  const { session, node, stepId } = job;
  const { config } = node;
  await flush(session);
  const turns = conversationSchema.parse(await loadTurns(session.ports.spill, session.held, stepId));
  for (const { emitted = [] } of turns) for (const id of emitted) session.emitted.add(id);
  if (turns.length === 0) await say(job, turns, firstMessages(job));
  for (;;) {
    if (session.signal.aborted) throw session.signal.reason;
    const [call] = openCalls(turns);
    const answer = answerOf(turns);
    if (call) await answerCall(job, turns, call);
    else if (answer !== undefined) {
      const checked = checkAnswer(config.output_schema, answer);
      if (checked.ok) return finished(turns, answer, checked.data);
      demandTurnsLeft(config, turns, checked.problem);
      await say(job, turns, [{ message: { role: 'user', content: checked.problem } }]);
    } else {
      demandTurnsLeft(config, turns, 'it asked for tools until the last turn');
      if (session.isOutOfTime()) return { kind: 'parked', at: session.ports.now(), reason: 'time' };
      await say(job, turns, [assistantTurn(await ask(job, turns), turns)]);
    }
  }
}

const MODEL_SECONDS = 300;

function ask({ session, node, signal, stepId }: Job<'agent'>, turns: readonly Turn[]): Promise<Reply> {
  const { run, settings, ports } = session;
  const { model, tools, temperature, max_tokens, output_schema, timeout_s = MODEL_SECONDS } = node.config;
  return ports.completeChat({
    tenant: run.tenant,
    catalogId: run.catalog_id ?? settings.catalog_id,
    model,
    messages: turns.map(({ message }) => message),
    tools: tools.flatMap(({ tool_id }) => (isBuiltInTool(tool_id) ? [BUILT_IN_TOOLS[tool_id]] : [])),
    temperature,
    maxTokens: max_tokens,
    wantsJson: output_schema !== undefined,
    signal,
    timeoutMs: timeout_s * 1000,
    seed: `${run.run_id}_${stepId}_${turns.length}`,
  });
}

function assistantTurn({ text, toolCalls, usage }: Reply, turns: readonly Turn[]): Turn {
  const used = new Set(turns.flatMap(({ message }) => message.tool_calls?.map(({ id }) => id) ?? []));
  const tool_calls = toolCalls.map(({ id, name, arguments: args }) => ({
    // Some servers count from zero in every turn; here an id names one call of the whole conversation.
    id: used.has(id) ? `${id}_${turns.length}` : id,
    type: 'function',
    function: { name, arguments: args },
  }));
  return {
    message: { role: 'assistant', content: text, ...(tool_calls.length > 0 && { tool_calls }) },
    usage: { prompt_tokens: usage?.input ?? 0, completion_tokens: usage?.output ?? 0 },
  };
}

/** Adds turns to the conversation, in the table first. */
async function say({ session, stepId }: Job<'agent'>, turns: Turn[], added: readonly Turn[]) {
  const { ports, held, ttl } = session;
  const rows = await Promise.all(
    added.map((turn, at) => turnWrite(ports.spill, held, { stepId, at: turns.length + at, turn, ttl })),
  );
  await commitRows(held, rows);
  turns.push(...added);
}

function demandTurnsLeft({ max_turns }: AgentConfig, turns: readonly Turn[], problem: string) {
  const taken = turns.filter(({ message }) => message.role === 'assistant').length;
  if (taken >= max_turns)
    throw new NodeFailure('too_many_turns', `The agent gave no answer within ${max_turns} turns: ${problem}`);
}

function finished(turns: readonly Turn[], text: string, data: unknown): NodeEnd {
  const usage = usageOfTurns(turns);
  const emitted = turns.flatMap(({ emitted: ids = [] }) => ids);
  const output = { text, ...(data !== undefined && { data }), tool_calls: usage.tool_calls, usage };
  return { kind: 'done', output: jsonOutput(output), taken: ['out'], usage, emitted };
}
