import { io, type Socket } from 'socket.io-client';
import type { RoutedEvent } from '../../../shared/realtime/event.ts';
import { host } from '../../support/host.ts';

/** A browser tab: the unmodified Socket.IO client and everything it was told. */
export interface Tab {
  readonly socket: Socket;
  readonly events: RoutedEvent[];
  close(): void;
}

const opened = new Set<Tab>();

export interface TabOptions {
  readonly token?: string;
  readonly auth?: Readonly<Record<string, unknown>>;
  readonly url?: string;
  /** Answers what the server asks. */
  readonly onCall?: (event: RoutedEvent, answer: (value?: unknown) => void) => void;
}

/** Resolves when the namespace is connected, which is when the tab is in its room. */
export async function openTab({ token, auth, url = host.url, onCall }: TabOptions = {}): Promise<Tab> {
  const socket = io(url, {
    path: '/ws/socket.io',
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    auth: { token, ...auth },
  });
  const events: RoutedEvent[] = [];
  socket.on('events', (event: RoutedEvent, answer?: (value?: unknown) => void) => {
    events.push(event);
    if (answer) onCall?.(event, answer);
  });
  const tab: Tab = { socket, events, close: () => void socket.disconnect() };
  opened.add(tab);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return tab;
}

export function closeTabs() {
  for (const tab of opened) tab.close();
  opened.clear();
}

export const typesOf = ({ events }: Pick<Tab, 'events'>) => events.map(({ data }) => data.type);
