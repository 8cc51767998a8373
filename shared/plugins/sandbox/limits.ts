export interface Limits {
  readonly memoryMb: number;
  /** How long one call may take; time spent waiting for an answer from outside does not count. */
  readonly timeoutMs: number;
  /** How long one call may keep a processor busy. */
  readonly cpuMs: number;
}
