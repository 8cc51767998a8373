import { toSeconds } from '../time.ts';
import type { ChatHeader } from './header.ts';
import type { StoredChat } from './reader.ts';
import { threadOf } from './tree.ts';
import { HISTORY } from './writer.ts';

/** What every answer about a chat says beside the chat itself. */
export const headView = (header: ChatHeader) => ({
  id: header.chatId,
  user_id: header.owner,
  title: header.title,
  updated_at: toSeconds(header.updatedAt),
  created_at: toSeconds(header.createdAt),
  share_id: header.shareId,
  archived: header.archived,
  pinned: header.pinned,
  meta: header.tags.length > 0 ? { tags: header.tags } : {},
  folder_id: header.folderId,
  tasks: null,
  summary: null,
});

/**
 * The chat as JSON, piece by piece. Fields are stored as JSON text, so they are copied and never parsed; a chat of any
 * size is written without being built in memory a second time.
 */
export function* chatJson(chat: StoredChat): Generator<string> {
  const current = JSON.stringify(chat.currentId);
  yield `${JSON.stringify(headView(chat.header)).slice(0, -1)},"chat":{"title":${JSON.stringify(chat.header.title)}`;
  for (const [name, text] of chat.body) if (!name.startsWith(HISTORY)) yield `,${JSON.stringify(name)}:${text}`;
  yield `,"currentId":${current},"history":{"currentId":${current}`;
  for (const [name, text] of chat.body) {
    if (name.startsWith(HISTORY)) yield `,${JSON.stringify(name.slice(HISTORY.length))}:${text}`;
  }
  yield ',"messages":{';
  let separator = '';
  for (const id of chat.tree.keys()) {
    yield `${separator}${JSON.stringify(id)}:${messageJson(chat, id)}`;
    separator = ',';
  }
  yield '}},"messages":[';
  separator = '';
  for (const id of threadOf(chat.tree, chat.currentId)) {
    yield `${separator}${messageJson(chat, id)}`;
    separator = ',';
  }
  yield ']}}';
}

export function messageJson({ messages, tree }: StoredChat, id: string): string {
  const fields = messages.get(id)?.fields ?? new Map<string, string>();
  const place = tree.get(id);
  const parts = [`"id":${JSON.stringify(id)}`];
  for (const [name, text] of fields) if (!LINKS.has(name)) parts.push(`${JSON.stringify(name)}:${text}`);
  const parentId = place?.parentId ?? null;
  if (parentId !== null || fields.has('parentId')) parts.push(`"parentId":${JSON.stringify(parentId)}`);
  parts.push(`"childrenIds":${JSON.stringify(place?.childrenIds ?? [])}`);
  return `{${parts.join(',')}}`;
}

const LINKS = new Set(['id', 'parentId', 'childrenIds']);
