import { callId } from '../call-id.ts';
import { numberAt, objectAt, stringAt } from '../json-value.ts';
import { scanArguments, UNREAD, type ArgumentsScan } from '../tool-arguments.ts';
import type { Fields } from '../turn.ts';
import type { TurnEvent } from '../turn-event.ts';

/** The tool calls of one stream in the order they began. */
export type Calls = readonly Call[];

interface Call {
  readonly index: number;
  readonly id: string;
  readonly name: string;
  readonly scan: ArgumentsScan;
  /** Arguments that wait for an earlier call to end. */
  readonly held: string;
  readonly isStarted: boolean;
  readonly isEnded: boolean;
}

type Result = readonly [Calls, readonly TurnEvent[]];

export const NO_CALLS: Calls = [];

/**
 * Takes one element of `delta.tool_calls`. Servers disagree here: parallel calls may share an index, pieces may
 * carry the id every time or only once, calls may be interleaved. Out comes one call after the other; a call ends
 * when its arguments are complete JSON, and what a server repeats after that is dropped.
 */
export function addPiece(calls: Calls, piece: Fields, seed: string): Result {
  const known = findCall(calls, piece);
  const at = known === -1 ? calls.length : known;
  const call = calls[at] ?? createCall(piece, callId(seed, at));
  const spec = objectAt(piece, 'function');
  const more = call.scan.complete ? '' : (stringAt(spec, 'arguments') ?? '');
  const grown = {
    ...call,
    name: call.name || (stringAt(spec, 'name') ?? ''),
    held: call.held + more,
    scan: scanArguments(call.scan, more),
  };
  return advance(calls.toSpliced(at, 1, grown), false);
}

/** Ends every call that is still open; nothing more will come. */
export const flushCalls = (calls: Calls): Result => advance(calls, true);

export const hasOpenCall = (calls: Calls) => calls.some((call) => !call.isEnded);

/** A piece with an id of its own and a name opens a call; without a name it continues one, whatever its id. */
function findCall(calls: Calls, piece: Fields): number {
  const id = stringAt(piece, 'id');
  const same = id ? calls.findLastIndex((call) => call.id === id) : -1;
  if (same !== -1) return same;
  const index = numberAt(piece, 'index');
  const last = calls.findLastIndex((call) => index === undefined || call.index === index);
  const isNamed = Boolean(stringAt(objectAt(piece, 'function'), 'name'));
  const opensAnother = isNamed && (id || calls[last]?.scan.complete);
  return opensAnother ? -1 : last;
}

const createCall = (piece: Fields, ownId: string): Call => ({
  index: numberAt(piece, 'index') ?? 0,
  id: stringAt(piece, 'id') || ownId,
  name: '',
  scan: UNREAD,
  held: '',
  isStarted: false,
  isEnded: false,
});

/** Tells of the first open call, and of those behind it as far as they may follow. */
function advance(calls: Calls, isLast: boolean): Result {
  const events: TurnEvent[] = [];
  const next = [...calls];
  for (const [index, call] of calls.entries()) {
    if (call.isEnded) continue;
    if (!call.name && !isLast) break;
    if (!call.isStarted) events.push({ type: 'tool_start', index, id: call.id, name: call.name });
    if (call.held) events.push({ type: 'tool_delta', index, arguments: call.held });
    const isEnded = isLast || call.scan.complete;
    if (isEnded) events.push({ type: 'tool_end', index });
    next[index] = { ...call, held: '', isStarted: true, isEnded };
    if (!isEnded) break;
  }
  return [next, events];
}
