/** The replies that this very process is writing, so that stopping one of them takes effect at once. */
export interface Running {
  add(taskId: string, stop: AbortController): void;
  remove(taskId: string): void;
  stop(taskId: string): void;
}

export function createRunning(): Running {
  const running = new Map<string, AbortController>();
  return {
    add: (taskId, stop) => void running.set(taskId, stop),
    remove: (taskId) => void running.delete(taskId),
    stop: (taskId) => running.get(taskId)?.abort(),
  };
}
