/** The interface mixes seconds (messages) and milliseconds (chats, bus): the compiler keeps them apart. */
export type Millis = number & { readonly __unit: 'ms' };
export type Seconds = number & { readonly __unit: 's' };

export type Clock = () => Millis;

export const systemClock: Clock = () => Date.now() as Millis;
export const toSeconds = (at: Millis) => Math.floor(at / 1000) as Seconds;
export const toIso = (at: Millis) => new Date(at).toISOString();
