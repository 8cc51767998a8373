import type { Definition } from './definition.ts';
import { defaultsOf } from './valves.ts';

/** A valve `priority` takes the place of what the plugin says itself. */
export function priorityOf({ valves, priority }: Definition, set: Readonly<Record<string, unknown>>): number {
  const valve = { ...defaultsOf(valves), ...set }['priority'];
  return 'priority' in valves && typeof valve === 'number' ? valve : priority;
}
