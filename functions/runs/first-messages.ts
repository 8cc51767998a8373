import type { Turn } from './conversation.ts';
import { renderText } from './expressions.ts';
import { variablesIn } from './frame.ts';
import type { Job } from './job.ts';

/** What an agent is told: the space's instructions and its own, then what it should work on. */
export function firstMessages(job: Job<'agent'>): Turn[] {
  const { session, node, frame } = job;
  const own = node.config.system_prompt;
  const system = [session.space.instructions, own === undefined ? '' : renderText(own, variablesIn(frame))];
  const instructions = system.filter((text) => text.trim() !== '').join('\n\n');
  return [
    ...(instructions ? [{ message: { role: 'system', content: instructions } }] : []),
    { message: { role: 'user', content: promptOf(job) } },
  ];
}

/** Without a prompt of its own, the first agent gets the event as JSON and every other what came before it. */
function promptOf({ session, node, frame, previous }: Job<'agent'>): string {
  const { prompt } = node.config;
  if (prompt !== undefined) return renderText(prompt, variablesIn(frame));
  if (node.isFirstAgent && !frame.outer) return session.event.text;
  const before = previous.json();
  return typeof before === 'string' ? before : previous.text;
}
