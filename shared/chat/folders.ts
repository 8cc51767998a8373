import * as z from 'zod';
import { AppError, notFound } from '../errors.ts';
import { ConditionFailed, orElse } from '../store/dynamodb.ts';
import { absent, unchanged } from '../store/expression.ts';
import type { Key } from '../store/table.ts';
import { deleting, putting, transact, updating } from '../store/transaction.ts';
import type { Millis } from '../time.ts';
import { chats } from './header.ts';
import { folderKey } from './keys.ts';

/** Folders of one owner. `data.system_prompt` and `data.files` apply to every completion in a folder. */
export const Folder = z.object({
  owner: z.string(),
  folderId: z.string(),
  parentId: z.string().nullable(),
  name: z.string(),
  meta: z.record(z.string(), z.unknown()).nullable(),
  data: z.record(z.string(), z.unknown()).nullable(),
  isExpanded: z.boolean(),
  createdAt: z.number(),
  updatedAt: z.number(),
  version: z.number(),
});
export type Folder = z.output<typeof Folder>;

export const readFolder = async (owner: string, folderId: string): Promise<Folder | undefined> => {
  const row = await chats.get(folderKey(owner, folderId));
  return row && Folder.parse(row);
};

export const listFolders = async (owner: string): Promise<Folder[]> =>
  (await Array.fromAsync(chats.walk({ pk: `USER#${owner}`, prefix: 'FOLDER#' }))).map((row) => Folder.parse(row));

/** Holds a name among its siblings, so two folders created at once cannot both get it. */
const nameKey = ({ owner, parentId, name }: Pick<Folder, 'owner' | 'parentId' | 'name'>): Key => ({
  pk: `USER#${owner}`,
  sk: `FOLDERNAME#${parentId ?? ''}#${name.trim().toLowerCase()}`,
});

const nameTaken = () => new AppError('name_taken', 'A folder with this name exists here already');

export async function insertFolder(folder: Folder): Promise<Folder> {
  await transact([
    putting('name', chats, { ...nameKey(folder), folderId: folder.folderId }, absent),
    putting('folder', chats, { ...folderKey(folder.owner, folder.folderId), ...folder }, absent),
  ]).catch(orElse(nameTaken));
  return folder;
}

export type FolderChange = Partial<Pick<Folder, 'name' | 'parentId' | 'meta' | 'data' | 'isExpanded'>>;

const MAX_ATTEMPTS = 10;

/** Renames and moves take the new name before they give up the old one, in one step. */
export async function changeFolder(
  { owner, folderId, now }: { owner: string; folderId: string; now: Millis },
  change: FolderChange,
): Promise<Folder> {
  for (let attempt = 1; ; attempt += 1) {
    const folder = await readFolder(owner, folderId);
    if (!folder) throw notFound('Folder');
    const next = { ...folder, ...change, updatedAt: now, version: folder.version + 1 };
    try {
      await writeChange(folder, next);
      return next;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      if (error.what === 'name' || attempt === MAX_ATTEMPTS) throw nameTaken();
    }
  }
}

async function writeChange(folder: Folder, next: Folder) {
  const [before, after] = [nameKey(folder), nameKey(next)];
  const isRenamed = before.sk !== after.sk;
  const { owner: _owner, folderId, ...set } = next;
  await transact([
    ...(isRenamed ? [putting('name', chats, { ...after, folderId }, absent), deleting('old', chats, before)] : []),
    updating('folder', chats, folderKey(folder.owner, folderId), { set, if: unchanged(folder.version) }),
  ]);
}

export const removeFolder = (folder: Folder) =>
  transact([
    deleting('folder', chats, folderKey(folder.owner, folder.folderId)),
    deleting('name', chats, nameKey(folder)),
  ]);

/** A folder with everything below it, the folder itself first. Broken links cannot make this run in circles. */
export function withSubfolders(folders: readonly Folder[], folderId: string): Folder[] {
  const found: Folder[] = [];
  const wanted = new Set([folderId]);
  for (let before = -1; before < wanted.size;) {
    before = wanted.size;
    for (const folder of folders)
      if (folder.parentId !== null && wanted.has(folder.parentId)) wanted.add(folder.folderId);
  }
  for (const folder of folders) if (wanted.has(folder.folderId)) found.push(folder);
  return found.toSorted((a, b) => Number(b.folderId === folderId) - Number(a.folderId === folderId));
}
