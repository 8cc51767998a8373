import type { ChatHeader } from '../../shared/chat/header.ts';
import type { StoredChat } from '../../shared/chat/reader.ts';

/** What a search asks for: words that must all occur, and facts about the chat. */
export interface Search {
  readonly words: readonly string[];
  readonly tags: readonly string[];
  readonly folders: readonly string[];
  readonly pinned?: boolean;
  readonly archived?: boolean;
  readonly shared?: boolean;
}

const OPERATOR = /^(tag|folder|pinned|archived|shared):(.+)$/i;

export function parseSearch(text: string): Search {
  const terms = text.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const operators = terms.map((term) => OPERATOR.exec(term));
  const values = (name: string) => operators.flatMap((found) => (found?.[1] === name && found[2] ? [found[2]] : []));
  const fact = (name: string) => {
    const value = values(name).at(-1);
    return value === undefined ? undefined : value === 'true';
  };
  return {
    words: terms.filter((_, i) => !operators[i]),
    tags: values('tag'),
    folders: values('folder'),
    pinned: fact('pinned'),
    archived: fact('archived'),
    shared: fact('shared'),
  };
}

/** `folderNames` are the names of the caller's folders by id, in small letters. */
export function fitsFacts(search: Search, header: ChatHeader, folderNames: ReadonlyMap<string, string>): boolean {
  const folder = folderNames.get(header.folderId ?? '')?.replaceAll(/\s+/g, '_');
  return (
    (search.pinned === undefined || search.pinned === header.pinned) &&
    (search.archived ?? false) === header.archived &&
    (search.shared === undefined || search.shared === (header.shareId !== null)) &&
    search.tags.every((tag) => header.tags.includes(tag)) &&
    (search.folders.length === 0 || search.folders.some((name) => name === folder))
  );
}

export const isInTitle = ({ words }: Search, { title }: ChatHeader) =>
  words.every((word) => title.toLowerCase().includes(word));

const BEFORE = 40;
const AFTER = 80;

/** A piece of the first message that holds a word the title lacks; undefined when some word occurs nowhere. */
export function snippetOf({ words }: Search, { header, messages }: StoredChat): string | undefined {
  const title = header.title.toLowerCase();
  const missing = new Set(words.filter((word) => !title.includes(word)));
  let snippet = '';
  for (const { fields } of messages.values()) {
    const content: unknown = JSON.parse(fields.get('content') ?? '""');
    if (typeof content !== 'string') continue;
    const text = content.toLowerCase();
    for (const word of missing) {
      const at = text.indexOf(word);
      if (at === -1) continue;
      snippet ||= content.slice(Math.max(0, at - BEFORE), at + word.length + AFTER);
      missing.delete(word);
    }
    if (missing.size === 0) return snippet;
  }
  return missing.size === 0 ? snippet : undefined;
}
