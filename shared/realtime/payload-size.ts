import { AppError } from '../errors.ts';

/** Of one event. Well below what a buffered answer carries, since that is how clients fetch a large one. */
export const LARGEST_PAYLOAD = 4 * 1024 * 1024;

export function demandReasonableSize(bytes: number) {
  if (bytes > LARGEST_PAYLOAD)
    throw new AppError('payload_too_large', `An event may hold at most ${LARGEST_PAYLOAD / 1024 / 1024} MB`);
}
