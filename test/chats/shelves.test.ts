import { describe, expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { aUser, type Person } from '../support/people.ts';
import { aChatOf, aStoredChat, aTurn, getChat, saveChat } from './a-chat.ts';

const ids = (answer: { body: { id: string }[] }) => answer.body.map(({ id }) => id);
const list = async (person: Person, path: string) => ids(await call(`GET /api/v1/chats/${path}`, undefined, person));

async function threeChats() {
  const person = await aUser();
  const chats: string[] = [];
  for (const title of ['Alpha', 'Beta', 'Gamma']) chats.push((await aStoredChat(person, { title })).id);
  const [a = '', b = '', c = ''] = chats;
  return { person, a, b, c };
}

describe('lists', () => {
  test('the newest comes first, and a save brings a chat to the top', async () => {
    const { person, a, b, c } = await threeChats();
    expect(await list(person, '')).toEqual([c, b, a]);
    await saveChat(person, a, { title: 'Alpha again' });
    const titles = await call('GET /api/v1/chats/list?page=1', undefined, person);
    expect(ids(titles)).toEqual([a, c, b]);
    expect(titles.body[0]).toEqual({
      id: a,
      title: 'Alpha again',
      created_at: expect.any(Number),
      updated_at: expect.any(Number),
    });
    expect(await list(person, '?page=2')).toEqual([]);
    expect((await call('GET /api/v1/chats?page=0', undefined, person)).status).toBe(422);
  });

  test('a save that changes nothing leaves the order alone', async () => {
    const { person, a, b, c } = await threeChats();
    await saveChat(person, a, { title: 'Alpha', models: ['demo'] });
    expect(await list(person, '')).toEqual([c, b, a]);
  });

  test('pages hold sixty chats and follow each other without gap or repetition', async () => {
    const person = await aUser();
    const chats = Array.from({ length: 65 }, (_, n) => ({
      chat: aChatOf([], { title: `Chat ${n}` }),
      updated_at: 1_700_000_000 + n,
    }));
    const imported = await call('POST /api/v1/chats/import', { chats }, person);
    expect(imported.body).toHaveLength(65);
    const [first, second, all] = [await list(person, '?page=1'), await list(person, '?page=2'), await list(person, '')];
    expect([first.length, second.length]).toEqual([60, 5]);
    expect([...first, ...second]).toEqual(all);
    expect(all[0]).toBe(imported.body[64].id);
  });
});

describe('pinning and archiving', () => {
  test('a pinned chat leaves the plain list for its own, until it is unpinned', async () => {
    const { person, a, b, c } = await threeChats();
    const pin = () => call(`POST /api/v1/chats/${b}/pin`, undefined, person);
    expect(await pin()).toMatchObject({ status: 200, body: { id: b, pinned: true } });
    expect(await list(person, '')).toEqual([c, a]);
    expect(await list(person, 'pinned')).toEqual([b]);
    expect(await list(person, '?include_pinned=true')).toEqual([c, b, a]);
    expect((await call(`GET /api/v1/chats/${b}/pinned`, undefined, person)).body).toBe(true);
    expect((await pin()).body.pinned).toBe(false);
    expect(await list(person, '')).toEqual([c, b, a]);
  });

  test('archived chats are listed, counted, sorted and brought back', async () => {
    const { person, a, b, c } = await threeChats();
    for (const id of [a, c]) await call(`POST /api/v1/chats/${id}/archive`, undefined, person);
    expect(await list(person, '')).toEqual([b]);
    expect(await list(person, 'archived')).toEqual([c, a]);
    expect(await list(person, 'archived?order_by=title&direction=asc')).toEqual([a, c]);
    expect(await list(person, 'archived?query=gam')).toEqual([c]);
    expect((await call('GET /api/v1/chats/archived/count', undefined, person)).body).toBe(2);
    expect((await getChat(person, a)).body.archived).toBe(true);
    expect((await call('POST /api/v1/chats/unarchive/all', undefined, person)).body).toBe(true);
    expect(await list(person, '')).toEqual([c, b, a]);
    expect((await call('POST /api/v1/chats/archive/all', undefined, person)).body).toBe(true);
    expect(await list(person, '')).toEqual([]);
    expect(await list(person, 'archived')).toHaveLength(3);
  });

  test('a chat that moves while it is saved is on exactly one shelf afterwards', async () => {
    const { person, a, b, c } = await threeChats();
    await Promise.all([
      ...Array.from({ length: 9 }, () => call(`POST /api/v1/chats/${a}/pin`, undefined, person)),
      ...Array.from({ length: 9 }, (_, n) => saveChat(person, a, { title: `Alpha ${n}` })),
    ]);
    const [plain, pinned] = [await list(person, ''), await list(person, 'pinned')];
    expect([...plain, ...pinned].toSorted()).toEqual([a, b, c].toSorted());
    expect(pinned).toEqual([a]);
    expect((await getChat(person, a)).body.pinned).toBe(true);
  });
});

describe('searching', () => {
  test('finds words in titles and messages, in any case, and shows where', async () => {
    const person = await aUser();
    const { question, answer } = aTurn('Where do PENGUINS live?', 'On the ice, far in the south.');
    const { body } = await call(
      'POST /api/v1/chats/new',
      { chat: aChatOf([question, answer], { title: 'Birds' }) },
      person,
    );
    const other = await aStoredChat(person, { title: 'Ice cream' });
    const search = async (text: string) =>
      (await call(`GET /api/v1/chats/search?text=${encodeURIComponent(text)}`, undefined, person)).body;
    expect(await search('penguins')).toMatchObject([{ id: body.id, snippet: expect.stringContaining('PENGUINS') }]);
    expect(await search('birds south')).toMatchObject([{ id: body.id, title: 'Birds' }]);
    expect((await search('ice')).map(({ id }: { id: string }) => id)).toEqual([other.id, body.id]);
    expect(await search('penguins cream')).toEqual([]);
    const stranger = await aUser();
    expect((await call('GET /api/v1/chats/search?text=penguins', undefined, stranger)).body).toEqual([]);
  });

  test('narrows by tag, folder, pinned, archived and shared', async () => {
    const { person, a, b, c } = await threeChats();
    const folder = (await call('POST /api/v1/folders', { name: 'My Work' }, person)).body.id;
    await call(`POST /api/v1/chats/${a}/tags`, { name: 'Big Plan' }, person);
    await call(`POST /api/v1/chats/${b}/folder`, { folder_id: folder }, person);
    await call(`POST /api/v1/chats/${c}/archive`, undefined, person);
    await call(`POST /api/v1/chats/${a}/share`, undefined, person);
    const search = async (text: string) => list(person, `search?text=${encodeURIComponent(text)}`);
    expect(await search('tag:big_plan')).toEqual([a]);
    expect(await search('folder:my_work')).toEqual([b]);
    expect(await search('archived:true')).toEqual([c]);
    expect(await search('shared:true alpha')).toEqual([a]);
    expect(await search('shared:true beta')).toEqual([]);
    expect(await search('')).toEqual([b, a]);
  });
});

describe('tags', () => {
  test('are added, listed, found and forgotten with their last chat', async () => {
    const { person, a, b } = await threeChats();
    const tag = (id: string, name: string) => call(`POST /api/v1/chats/${id}/tags`, { name }, person);
    expect((await tag(a, 'Deep Work')).body).toEqual([
      { id: 'deep_work', name: 'Deep Work', user_id: person.userId, meta: null },
    ]);
    await tag(a, 'deep work');
    await tag(b, 'Deep Work');
    expect((await getChat(person, a)).body.meta).toEqual({ tags: ['deep_work'] });
    expect(ids(await call('POST /api/v1/chats/tags', { name: 'deep work' }, person))).toEqual([b, a]);
    expect((await tag(a, 'none')).status).toBe(400);
    expect((await tag(a, ' ')).status).toBe(422);
    expect((await call(`DELETE /api/v1/chats/${a}/tags`, { name: 'Deep Work' }, person)).body).toEqual([]);
    expect((await call('GET /api/v1/chats/all/tags', undefined, person)).body).toHaveLength(1);
    expect((await call(`DELETE /api/v1/chats/${b}/tags/all`, undefined, person)).body).toBe(true);
    expect((await call('GET /api/v1/chats/all/tags', undefined, person)).body).toEqual([]);
  });

  test('added at the same time are all there', async () => {
    const { person, a } = await threeChats();
    await Promise.all(
      Array.from({ length: 8 }, (_, n) => call(`POST /api/v1/chats/${a}/tags`, { name: `t${n}` }, person)),
    );
    expect((await call(`GET /api/v1/chats/${a}/tags`, undefined, person)).body).toHaveLength(8);
  });
});

describe('folders', () => {
  const create = (person: Person, body: object) => call('POST /api/v1/folders/', body, person);

  test('hold chats, and a name stands once among its siblings', async () => {
    const { person, a, b, c } = await threeChats();
    const work = await create(person, { name: 'Work', data: { system_prompt: 'Be brief' }, meta: { icon: 'x' } });
    expect(work).toMatchObject({
      status: 200,
      body: {
        name: 'Work',
        parent_id: null,
        is_expanded: false,
        user_id: person.userId,
        data: { system_prompt: 'Be brief' },
      },
    });
    const { id } = work.body;
    expect((await create(person, { name: 'work ' })).body.error.code).toBe('name_taken');
    expect((await create(person, { name: 'Work', parent_id: id })).status).toBe(200);
    expect((await create(person, { name: 'x', stranger: 1 })).status).toBe(422);
    expect((await create(person, { name: 'x', parent_id: 'missing' })).status).toBe(404);
    await call(`POST /api/v1/chats/${a}/folder`, { folder_id: id }, person);
    expect(await list(person, '')).toEqual([c, b]);
    expect(await list(person, '?include_folders=true')).toEqual([c, b, a]);
    expect(await list(person, `folder/${id}`)).toEqual([a]);
    expect(await list(person, `folder/${id}/list?page=2`)).toEqual([]);
    await call(`POST /api/v1/chats/${a}/folder`, { folder_id: null }, person);
    expect(await list(person, '')).toEqual([c, b, a]);
    const stranger = await aUser();
    expect((await call(`GET /api/v1/folders/${id}`, undefined, stranger)).status).toBe(404);
    expect((await call('POST /api/v1/chats/new', { chat: aChatOf([]), folder_id: id }, stranger)).status).toBe(404);
    const inside = await call('POST /api/v1/chats/new', { chat: aChatOf([]), folder_id: id }, person);
    expect(inside.body.folder_id).toBe(id);
  });

  test('are renamed, moved and opened, never into themselves', async () => {
    const person = await aUser();
    const [top, sub] = [
      (await create(person, { name: 'Top' })).body.id,
      (await create(person, { name: 'Sub' })).body.id,
    ];
    const update = (id: string, path: string, body: object) =>
      call(`POST /api/v1/folders/${id}/update${path}`, body, person);
    expect((await update(sub, '', { name: 'Below', meta: { icon: 'y' } })).body).toMatchObject({
      name: 'Below',
      meta: { icon: 'y' },
    });
    expect((await update(sub, '', { name: 'Top' })).status).toBe(409);
    expect((await update(sub, '/parent', { parent_id: top })).body.parent_id).toBe(top);
    expect((await update(top, '/parent', { parent_id: sub })).status).toBe(422);
    expect((await update(top, '/parent', { parent_id: top })).status).toBe(422);
    expect((await update(top, '/expanded', { is_expanded: true })).body.is_expanded).toBe(true);
    expect((await create(person, { name: 'Below' })).status).toBe(200);
    expect((await update(sub, '/parent', { parent_id: null })).status).toBe(409);
    const folders = (await call('GET /api/v1/folders', undefined, person)).body;
    expect(folders).toHaveLength(3);
  });

  test('created twice at once exist once', async () => {
    const person = await aUser();
    const answers = await Promise.all(Array.from({ length: 6 }, () => create(person, { name: 'Same' })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await call('GET /api/v1/folders', undefined, person)).body).toHaveLength(1);
  });

  test('take their contents along when deleted, or let them go', async () => {
    const { person, a, b, c } = await threeChats();
    const top = (await create(person, { name: 'Top' })).body.id;
    const sub = (await create(person, { name: 'Sub', parent_id: top })).body.id;
    await call(`POST /api/v1/chats/${a}/folder`, { folder_id: sub }, person);
    await call(`POST /api/v1/chats/${b}/folder`, { folder_id: top }, person);
    await call(`POST /api/v1/chats/${b}/pin`, undefined, person);
    expect((await call(`DELETE /api/v1/folders/${sub}?delete_contents=false`, undefined, person)).body).toBe(true);
    expect((await getChat(person, a)).body.folder_id).toBeNull();
    expect((await call(`DELETE /api/v1/folders/${top}`, undefined, person)).body).toBe(true);
    expect((await getChat(person, b)).status).toBe(404);
    expect(await list(person, '')).toEqual([c, a]);
    expect((await create(person, { name: 'Top' })).status).toBe(200);
  });
});
