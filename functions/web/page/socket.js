const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
/** The server pings more often than this; whoever hears nothing for so long is cut off without knowing. */
const LONGEST_SILENCE_MS = 90_000;
const LONGEST_GREETING_MS = 10_000;

/**
 * One WebSocket that comes back by itself. The session keeps its name over all connections of this tab, so questions to
 * it find the newest one.
 * @param {{ sessionId: string, onEvent: (payload: any, answer?: (value: unknown) => void) => void,
 *   onReady: () => void, onLost: () => void, isStillSignedIn: () => Promise<boolean> }} parts
 */
export function createSocket(parts) {
  const line = {
    parts,
    socket: /** @type {WebSocket | undefined} */ (undefined),
    isReady: false,
    isWanted: false,
    attempts: 0,
    retry: 0,
    watchdog: 0,
  };
  addEventListener('online', () => void again(line));
  return {
    get isReady() {
      return line.isReady;
    },
    open() {
      line.isWanted = true;
      connect(line);
    },
    close() {
      line.isWanted = false;
      line.socket?.close();
      hangUp(line);
    },
  };
}

function connect(line) {
  if (!line.isWanted || line.socket) return;
  const socket = new WebSocket(addressOf(line.parts.sessionId));
  line.socket = socket;
  socket.addEventListener('message', ({ data }) => void (socket === line.socket && hear(line, JSON.parse(data))));
  socket.addEventListener('close', () => void (socket === line.socket && lost(line)));
  expectWithin(line, LONGEST_GREETING_MS);
}

function hear(line, message) {
  if (message.type === 'ready' && message.user) {
    line.isReady = true;
    line.attempts = 0;
    line.parts.onReady();
  }
  if (line.isReady) expectWithin(line, LONGEST_SILENCE_MS);
  if (message.type === 'events') line.parts.onEvent(message.payload, answering(line.socket, message.call_id));
}

function lost(line) {
  hangUp(line);
  line.parts.onLost();
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** line.attempts, LONGEST_PAUSE_MS);
  line.attempts += 1;
  line.retry = setTimeout(() => void again(line), pause * (0.5 + Math.random() / 2));
}

/** The connection may have ended because the login did. */
async function again(line) {
  clearTimeout(line.retry);
  if (line.isWanted && !line.socket && (await line.parts.isStillSignedIn())) connect(line);
}

function hangUp(line) {
  line.socket = undefined;
  line.isReady = false;
  clearTimeout(line.retry);
  clearTimeout(line.watchdog);
}

function expectWithin(line, ms) {
  clearTimeout(line.watchdog);
  line.watchdog = setTimeout(() => line.socket?.close(), ms);
}

const addressOf = (sessionId) => `${location.origin.replace(/^http/, 'ws')}/ws?session_id=${sessionId}`;

/** Clients may not send more than 32 KB; the rest is for what stands around the value. */
const LARGEST_ANSWER = 31 * 1024;
const TOO_LARGE = { error: 'The answer is larger than 31 KB.' };

function answering(socket, callId) {
  if (callId === undefined) return undefined;
  const frame = (value) => JSON.stringify({ type: 'answer', call_id: callId, value });
  return (value) => {
    const text = frame(value);
    if (socket.readyState === WebSocket.OPEN) {
      socket.send(new Blob([text]).size > LARGEST_ANSWER ? frame(TOO_LARGE) : text);
    }
  };
}
