import { when } from '../store/expression.ts';
import { chats, changeHeader } from './header.ts';
import { tagKey, type ChatRef } from './keys.ts';
import { ALL_SHELVES, listHeaders } from './listing.ts';

export interface Tag {
  readonly id: string;
  readonly name: string;
}

/** Two spellings of the same tag are one tag. */
export const tagIdOf = (name: string) => name.trim().toLowerCase().replaceAll(/\s+/g, '_');

export const listTags = async (owner: string): Promise<Tag[]> =>
  (await Array.fromAsync(chats.walk({ pk: `USER#${owner}`, prefix: 'TAG#' }))).map(toTag);

const toTag = (row: Readonly<Record<string, unknown>>): Tag => ({
  id: String(row['sk']).slice('TAG#'.length),
  name: String(row['name']),
});

/** The chat's tags become these; tags that no chat has any more disappear. */
export async function setTags(ref: ChatRef, names: readonly string[]) {
  const wanted = new Map(names.map((name) => [tagIdOf(name), name.trim()]));
  await Promise.all([...wanted].map(([id, name]) => chats.put({ ...tagKey(ref.owner, id), name })));
  let dropped: readonly string[] = [];
  const header = await changeHeader(ref, ({ tags }) => {
    dropped = tags.filter((tag) => !wanted.has(tag));
    return { tags: [...wanted.keys()] };
  });
  await forgetUnused(ref.owner, header ? dropped : [...wanted.keys()]);
  return header;
}

export async function addTag(ref: ChatRef, name: string) {
  await chats.put({ ...tagKey(ref.owner, tagIdOf(name)), name: name.trim() });
  const header = await changeHeader(ref, ({ tags }) => ({ tags: [...new Set([...tags, tagIdOf(name)])] }));
  if (!header) await forgetUnused(ref.owner, [tagIdOf(name)]);
  return header;
}

export async function removeTag(ref: ChatRef, name: string) {
  const header = await changeHeader(ref, ({ tags }) => ({ tags: tags.filter((tag) => tag !== tagIdOf(name)) }));
  if (header) await forgetUnused(ref.owner, [tagIdOf(name)]);
  return header;
}

export const listTagged = (owner: string, tagId: string) =>
  listHeaders({ owner, shelves: ALL_SHELVES, filter: when('contains(#tags, :tag)', { tag: tagId }) });

async function forgetUnused(owner: string, tagIds: readonly string[]) {
  for (const tagId of tagIds) {
    if ((await listTagged(owner, tagId)).length === 0) await chats.delete(tagKey(owner, tagId));
  }
}
