import { expect } from 'vitest';

/** For what arrives by itself; patient, because a busy machine is no failure. */
export const eventually = <T>(read: () => T, message?: string) => expect.poll(read, { timeout: 15_000, message });
