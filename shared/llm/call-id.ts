/** Ids longer than 40 characters are refused by some servers when the conversation comes back to them. */
const LONGEST_SEED = 28;

/** The id of a tool call that came without one, unique as far as the seed is. */
export const callId = (seed: string, index: number) =>
  `call_${seed.replaceAll('-', '').slice(0, LONGEST_SEED)}_${index}`;
