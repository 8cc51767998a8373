import { describe, expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { anOrg, aUser, type Person } from '../support/people.ts';

const as = (person: { token: string }) => ({ token: person.token });
const create = (admin: Person, kind: 'groups' | 'departments', body: object) =>
  call(`POST /api/org/${kind}`, body, as(admin));
const listOf = async (admin: Person, kind: 'groups' | 'departments') =>
  (await call(`GET /api/org/${kind}`, undefined, as(admin))).body.data;
const member = async (admin: Person, person: Person) =>
  (await call(`GET /api/org/team/${person.userId}`, undefined, as(admin))).body;

describe.each(['groups', 'departments'] as const)('%s', (kind) => {
  test('are created, renamed, listed by name and deleted', async () => {
    const { admin } = await anOrg();
    const first = await create(admin, kind, { name: 'Zebra', description: 'stripes' });
    expect(first).toMatchObject({ status: 201, body: { name: 'Zebra', description: 'stripes' } });
    await create(admin, kind, { name: 'Ant' });
    const renamed = await call(`PUT /api/org/${kind}/${first.body.id}`, { name: 'Bee' }, as(admin));
    expect(renamed).toMatchObject({ status: 200, body: { name: 'Bee', description: 'stripes' } });
    expect((await listOf(admin, kind)).map((one: { name: string }) => one.name)).toEqual(['Ant', 'Bee']);
    expect((await call(`DELETE /api/org/${kind}/${first.body.id}`, undefined, as(admin))).status).toBe(204);
    expect((await call(`DELETE /api/org/${kind}/${first.body.id}`, undefined, as(admin))).status).toBe(404);
    expect(await listOf(admin, kind)).toMatchObject([{ name: 'Ant' }]);
  });

  test('have a name once, whatever its case, and of twenty at the same moment one gets it', async () => {
    const { admin } = await anOrg();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => create(admin, kind, { name: i % 2 ? 'SALES' : 'Sales' })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const { status } of answers) expect([201, 409]).toContain(status);
    expect(await listOf(admin, kind)).toHaveLength(1);
    const other = await create(admin, kind, { name: 'Other' });
    const taken = await call(`PUT /api/org/${kind}/${other.body.id}`, { name: 'sales' }, as(admin));
    expect(taken).toMatchObject({ status: 409, body: { error: { code: 'name_taken' } } });
  });

  test('have exactly the members they are given, and none once deleted', async () => {
    const { orgId, admin } = await anOrg();
    const people = await Promise.all(Array.from({ length: 4 }, () => aUser({ orgId })));
    const { body: unit } = await create(admin, kind, { name: 'Legal' });
    const put = (whom: Person[]) =>
      call(`PUT /api/org/${kind}/${unit.id}/members`, { userIds: whom.map(({ userId }) => userId) }, as(admin));
    expect((await put(people.slice(0, 3))).body).toEqual({ added: 3, removed: 0 });
    expect((await put(people.slice(1, 4))).body).toEqual({ added: 1, removed: 1 });
    const listed = await call(`GET /api/org/${kind}/${unit.id}/members`, undefined, as(admin));
    expect(listed.body.data.map((one: { id: string }) => one.id).toSorted()).toEqual(
      people
        .slice(1)
        .map(({ userId }) => userId)
        .toSorted(),
    );
    const place = kind === 'groups' ? { groups: [unit.id] } : { departmentId: unit.id };
    expect(await member(admin, people[1]!)).toMatchObject(place);
    await call(`DELETE /api/org/${kind}/${unit.id}`, undefined, as(admin));
    expect(await member(admin, people[1]!)).toMatchObject(kind === 'groups' ? { groups: [] } : { departmentId: null });
    expect((await put(people)).status).toBe(404);
  });

  test('take no people of another organization, and then nobody at all', async () => {
    const { orgId, admin } = await anOrg();
    const [insider, stranger] = [await aUser({ orgId }), (await anOrg()).admin];
    const { body: unit } = await create(admin, kind, { name: 'Mixed' });
    const userIds = [insider.userId, stranger.userId];
    expect((await call(`PUT /api/org/${kind}/${unit.id}/members`, { userIds }, as(admin))).status).toBe(404);
    const listed = await call(`GET /api/org/${kind}/${unit.id}/members`, undefined, as(admin));
    expect(listed.body.data).toEqual([]);
    expect((await call(`PUT /api/org/${kind}/${unit.id}`, { name: 'Mine' }, as(stranger))).status).toBe(404);
    expect((await call(`DELETE /api/org/${kind}/${unit.id}`, undefined, as(stranger))).status).toBe(404);
  });

  test('members read them but do not change them', async () => {
    const { orgId, admin } = await anOrg();
    const person = await aUser({ orgId });
    await create(admin, kind, { name: 'Visible' });
    expect(await listOf(person, kind)).toMatchObject([{ name: 'Visible' }]);
    expect((await create(person, kind, { name: 'Mine' })).status).toBe(403);
  });
});

describe('groups', () => {
  test('parallel changes of several groups with the same person lose none', async () => {
    const { orgId, admin } = await anOrg();
    const person = await aUser({ orgId });
    const names = Array.from({ length: 8 }, (_, i) => `Group ${i}`);
    const groups: string[] = [];
    for (const name of names) groups.push((await create(admin, 'groups', { name })).body.id);
    const answers = await Promise.all(
      groups.map((id) => call(`PUT /api/org/groups/${id}/members`, { userIds: [person.userId] }, as(admin))),
    );
    expect(answers.map(({ status }) => status)).toEqual(groups.map(() => 200));
    expect((await member(admin, person)).groups.toSorted()).toEqual(groups.toSorted());
  });

  test('a membership does not sign anybody out', async () => {
    const { orgId, admin } = await anOrg();
    const person = await aUser({ orgId });
    const { body: group } = await create(admin, 'groups', { name: 'Quiet' });
    await call(`PUT /api/org/groups/${group.id}/members`, { userIds: [person.userId] }, as(admin));
    expect((await call('GET /api/org/me', undefined, as(person))).status).toBe(200);
  });
});

describe('departments', () => {
  test('form a tree: no loops, no unknown parent, nothing deleted from under others', async () => {
    const { admin } = await anOrg();
    const { body: top } = await create(admin, 'departments', { name: 'Top' });
    const { body: sub } = await create(admin, 'departments', { name: 'Sub', parentId: top.id });
    expect(sub).toMatchObject({ parentId: top.id });
    const move = (id: string, parentId: string | null) =>
      call(`PUT /api/org/departments/${id}`, { parentId }, as(admin));
    expect((await move(top.id, sub.id)).status).toBe(409);
    expect((await move(top.id, top.id)).status).toBe(409);
    expect((await move(sub.id, 'nowhere')).status).toBe(422);
    expect((await call(`DELETE /api/org/departments/${top.id}`, undefined, as(admin))).status).toBe(409);
    expect((await move(sub.id, null)).status).toBe(200);
    expect((await call(`DELETE /api/org/departments/${top.id}`, undefined, as(admin))).status).toBe(204);
  });

  test('two that are moved below each other at the same moment do not become a loop', async () => {
    const { admin } = await anOrg();
    const { body: one } = await create(admin, 'departments', { name: 'One' });
    const { body: two } = await create(admin, 'departments', { name: 'Two' });
    const answers = await Promise.all([
      call(`PUT /api/org/departments/${one.id}`, { parentId: two.id }, as(admin)),
      call(`PUT /api/org/departments/${two.id}`, { parentId: one.id }, as(admin)),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(1);
  });

  test('a person is in one at most', async () => {
    const { orgId, admin } = await anOrg();
    const person = await aUser({ orgId });
    const { body: one } = await create(admin, 'departments', { name: 'One' });
    const { body: two } = await create(admin, 'departments', { name: 'Two' });
    for (const { id } of [one, two])
      await call(`PUT /api/org/departments/${id}/members`, { userIds: [person.userId] }, as(admin));
    expect(await member(admin, person)).toMatchObject({ departmentId: two.id });
    const left = await call(`GET /api/org/departments/${one.id}/members`, undefined, as(admin));
    expect(left.body.data).toEqual([]);
  });
});
