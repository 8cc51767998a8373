import * as z from 'zod';
import { AppError } from '../../shared/errors.ts';
import { createApi } from '../../shared/http/api.ts';
import { defineRoutes, reply } from '../../shared/http/route.ts';
import { createServe } from '../../shared/http/serve.ts';
import { eventStream, lineStream } from '../../shared/http/streamed.ts';

const Thing = z.object({
  name: z.string().min(1),
  size: z.number().int().optional(),
  tags: z.array(z.object({ id: z.string() })).optional(),
});

const routes = defineRoutes({
  read: {
    method: 'GET',
    path: '/things/{id}',
    auth: 'open',
    summary: 'read',
    query: z.object({ deep: z.stringbool().default(false) }),
    returns: z.object({ id: z.string(), deep: z.boolean() }),
  },
  write: { method: 'POST', path: '/things', auth: 'open', summary: 'write', body: Thing, returns: Thing, status: 201 },
  form: {
    method: 'POST',
    path: '/form',
    auth: 'open',
    summary: 'form',
    bodyType: 'form',
    body: z.object({ token: z.string() }),
    returns: z.object({ token: z.string() }),
  },
  upload: {
    method: 'POST',
    path: '/upload',
    auth: 'open',
    summary: 'upload',
    bodyType: 'multipart',
    body: z.object({ file: z.file(), note: z.string().optional() }),
    returns: z.object({ name: z.string(), hex: z.string(), note: z.string().optional() }),
  },
  bytes: {
    method: 'PUT',
    path: '/bytes',
    auth: 'open',
    summary: 'bytes',
    bodyType: 'bytes',
    returns: z.object({ hex: z.string() }),
  },
  picture: { method: 'GET', path: '/picture', auth: 'open', summary: 'binary answer' },
  cookies: {
    method: 'POST',
    path: '/cookies',
    auth: 'open',
    summary: 'cookies',
    returns: z.object({ ok: z.boolean() }),
  },
  nothing: { method: 'DELETE', path: '/things/{id}', auth: 'open', summary: 'no content' },
  refuse: { method: 'GET', path: '/refuse', auth: 'open', summary: 'known failure', errors: ['conflict'] },
  crash: { method: 'GET', path: '/crash', auth: 'open', summary: 'unknown failure' },
  leak: {
    method: 'GET',
    path: '/leak',
    auth: 'open',
    summary: 'a field that is not in the contract',
    returns: z.object({ id: z.string() }),
  },
  events: { method: 'GET', path: '/events', auth: 'open', summary: 'server-sent events', transport: 'stream' },
  lines: { method: 'GET', path: '/lines', auth: 'open', summary: 'lines', transport: 'stream' },
  later: { method: 'POST', path: '/later', auth: 'open', summary: 'work after the answer', transport: 'stream' },
});

export const finished: string[] = [];

export const sampleEndpoints = createApi(
  routes,
  {
    read: ({ params, query }) => ({ id: params.id, deep: query.deep }),
    write: ({ body }) => body,
    form: ({ body }) => body,
    upload: async ({ body }) => ({
      name: body.file.name,
      hex: Buffer.from(await body.file.arrayBuffer()).toString('hex'),
      note: body.note,
    }),
    bytes: ({ body }) => ({ hex: Buffer.from(body).toString('hex') }),
    picture: () => new Response(new Uint8Array([0, 255, 128]), { headers: { 'content-type': 'image/png' } }),
    cookies: () =>
      reply(
        { ok: true },
        {
          headers: [
            ['set-cookie', 'a=1'],
            ['set-cookie', 'b=2; Path=/'],
          ],
        },
      ),
    nothing: () => undefined,
    refuse: () => {
      throw new AppError('conflict', 'Already there', { facts: { id: 7 } });
    },
    crash: () => {
      throw new Error('the password is hunter2');
    },
    leak: () => ({ id: '1', passwordHash: 'x' }) as { id: string },
    events: () =>
      eventStream(async (events) => {
        await events.send({ id: '1', event: 'greeting', data: { text: 'grüß\ndich' } });
        await events.send({ data: 'line one\nline two' });
        await events.send({ data: '[DONE]' });
      }),
    lines: () =>
      lineStream(async (write) => {
        for (let n = 0; n < 3; n += 1) await write({ n });
      }),
    later: ({ requestId, ...connection }) => {
      connection.waitUntil(new Promise((resolve) => setTimeout(resolve, 30)).then(() => finished.push(requestId)));
      return new Response('accepted', { status: 202 });
    },
  },
  () => Promise.resolve(undefined),
);

export const serve = createServe(sampleEndpoints);
