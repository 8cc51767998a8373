import * as z from 'zod';
import { expect, test } from 'vitest';
import { createApi } from '../../shared/http/api.ts';
import { defineRoutes } from '../../shared/http/route.ts';

/** These lines are checked by `tsc`: each expected error that stops being one fails `npm run check`. */
const routes = defineRoutes({
  read: {
    method: 'GET',
    path: '/things/{thingId}',
    auth: 'user',
    summary: 'read',
    returns: z.object({ name: z.string() }),
  },
  sign: {
    method: 'POST',
    path: '/sign/{token}',
    auth: 'recipient',
    summary: 'sign',
    body: z.object({ ok: z.boolean() }),
  },
});
const nobody = () => Promise.resolve(undefined);

test('the compiler joins contract and code', () => {
  createApi(
    routes,
    { read: ({ params, actor }) => ({ name: `${params.thingId} ${actor.userId}` }), sign: ({ body }) => void body.ok },
    nobody,
  );

  // @ts-expect-error a handler is missing
  createApi(routes, { read: () => ({ name: '' }) }, nobody);

  // @ts-expect-error a misspelt path parameter
  createApi(routes, { read: ({ params }) => ({ name: params.id }), sign: () => undefined }, nobody);

  // @ts-expect-error a wrong reply type
  createApi(routes, { read: () => ({ name: 7 }), sign: () => undefined }, nobody);

  // @ts-expect-error a recipient has no user id
  createApi(routes, { read: () => ({ name: '' }), sign: ({ actor }) => void actor.userId }, nobody);

  // @ts-expect-error no such kind of caller
  defineRoutes({ odd: { method: 'GET', path: '/odd', auth: 'everyone', summary: '' } });

  // @ts-expect-error no such error code
  defineRoutes({ odd: { method: 'GET', path: '/odd', auth: 'open', summary: '', errors: ['teapot'] } });
  expect(Object.keys(routes)).toEqual(['read', 'sign']);
});
