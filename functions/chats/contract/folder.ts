import * as z from 'zod';

const Name = z.string().trim().min(1).max(200);
const Details = z.looseObject({}).nullish();

const FolderHead = z.object({
  id: z.string(),
  name: z.string(),
  meta: z.looseObject({}).nullable(),
  parent_id: z.string().nullable(),
  is_expanded: z.boolean(),
  created_at: z.int(),
  updated_at: z.int(),
});

const Folder = FolderHead.extend({
  user_id: z.string(),
  items: z.looseObject({}).nullable(),
  data: z.looseObject({}).nullable(),
});

export const folderRoutes = {
  listFolders: {
    method: 'GET',
    path: '/api/v1/folders',
    auth: 'user',
    summary: 'Folders of the caller',
    returns: z.array(FolderHead),
  },
  createFolder: {
    method: 'POST',
    path: '/api/v1/folders',
    auth: 'user',
    summary: 'Create a folder',
    body: z.strictObject({ name: Name, parent_id: z.string().nullish(), data: Details, meta: Details }),
    returns: Folder,
    errors: ['not_found', 'name_taken', 'validation_failed'],
  },
  getFolder: {
    method: 'GET',
    path: '/api/v1/folders/{folderId}',
    auth: 'user',
    summary: 'One folder',
    returns: Folder,
    errors: ['not_found'],
  },
  updateFolder: {
    method: 'POST',
    path: '/api/v1/folders/{folderId}/update',
    auth: 'user',
    summary: 'Rename a folder or change what applies to its chats',
    body: z.strictObject({ name: Name.optional(), data: Details, meta: Details }),
    returns: Folder,
    errors: ['not_found', 'name_taken', 'validation_failed'],
  },
  moveFolder: {
    method: 'POST',
    path: '/api/v1/folders/{folderId}/update/parent',
    auth: 'user',
    summary: 'Move a folder below another, or to the top with null',
    body: z.strictObject({ parent_id: z.string().nullish() }),
    returns: Folder,
    errors: ['not_found', 'name_taken', 'validation_failed'],
  },
  expandFolder: {
    method: 'POST',
    path: '/api/v1/folders/{folderId}/update/expanded',
    auth: 'user',
    summary: 'Remember whether the folder is open',
    body: z.strictObject({ is_expanded: z.boolean() }),
    returns: Folder,
    errors: ['not_found'],
  },
  deleteFolder: {
    method: 'DELETE',
    path: '/api/v1/folders/{folderId}',
    auth: 'user',
    summary: 'Delete a folder with its subfolders; its chats go too, unless `delete_contents` is false',
    query: z.object({ delete_contents: z.stringbool().default(true) }),
    returns: z.literal(true),
    errors: ['not_found'],
  },
} as const;
