/**
 * How a reply is to be sent, asked for in the model's name: `echo+bytes+crlf`. The words before the first plus are the
 * model itself; the rest are these.
 *
 *   bytes      every byte in a chunk of its own: characters, lines and `data:` are all torn apart
 *   lump       everything in one chunk
 *   crlf       lines end with CR LF
 *   unended    neither a closing marker nor a final line break
 *   broken     an error in the middle of the stream
 *   cut        the connection dies in the middle of the reply
 *   slow       20 ms between two pieces;  slow-<n>  n ms
 *   stall      nothing more after the first piece
 *   hang       no answer at all
 *   status-<n> an error answer with that status;  html makes its body a page
 *   tool       calls the first tool it is offered, or two of them with tools
 *   think      thinks aloud first
 *   whole      answers in one piece although a stream was asked for
 */
export interface Knobs {
  readonly has: (name: string) => boolean;
  readonly number: (name: string) => number | undefined;
}

export function knobsOf(model: string): Knobs {
  const words = model.split('+').slice(1);
  return {
    has: (name) => words.includes(name),
    number(name) {
      const word = words.find((one) => one.startsWith(`${name}-`));
      return word === undefined ? undefined : Number(word.slice(name.length + 1));
    },
  };
}
