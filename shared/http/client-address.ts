/**
 * Who really called, when trusted hops stand in between. Each hop appends the address it saw, so only the end of
 * `X-Forwarded-For` can be believed; everything before it is whatever the client wrote.
 */
export function clientAddress(peer: string, forwardedFor: string | null | undefined, trustedHops: number): string {
  if (trustedHops === 0 || !forwardedFor) return peer;
  const seen = forwardedFor.split(',').map((entry) => entry.trim());
  // Some hops append their own peer as well as the one before it.
  while (seen.length > 0 && seen.at(-1) === peer) seen.pop();
  return seen.at(-trustedHops) ?? seen[0] ?? peer;
}
