import { expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { anOperator, aUser } from '../support/people.ts';
import { verifies } from '../support/verifies.ts';
import { aRecorder } from './support.ts';

const connecting = async (url: string) => {
  const { token } = await anOperator();
  const form = { kind: 'compat', name: 'Remote', url, tags: ['pipelines'], prefix_id: '' };
  const { body, status } = await call('POST /api/v1/connections', form, { token });
  expect(body).toMatchObject({ name: 'Remote' });
  expect(status).toBe(200);
  return () => call(`DELETE /api/v1/connections/${body.id}`, undefined, { token });
};

const pipeline = (id: string, pipelines: string[], priority: number) => ({
  id,
  pipeline: { type: 'filter', pipelines, priority },
});

verifies(
  ['completed/pipeline-outlet', 'filters/filter-ids'],
  'filters in other languages see requests and finished conversations',
  async () => {
    const server = await aRecorder(({ path, body }) => {
      if (path === '/models')
        return {
          body: {
            pipelines: true,
            data: [pipeline('second', ['demo'], 2), pipeline('first', ['*'], 1), pipeline('asked', [], 0)],
          },
        };
      const given = JSON.parse(body) as { user: { email: string }; body: { messages: { content: string }[] } };
      const last = given.body.messages.at(-1);
      if (last?.content.includes('forbidden')) return { status: 403, body: { detail: 'Not this' } };
      if (last) last.content += ` +${path.slice(1)} by ${given.user.email}`;
      return { body: given.body };
    });
    const disconnect = await connecting(server.url);
    const person = await aUser();
    const as = { token: person.token };
    const ask = (content: string, more = {}) =>
      call('POST /api/chat/completions', { model: 'demo', messages: [{ role: 'user', content }], ...more }, as);
    try {
      const by = `by ${person.email}`;
      const { body } = await ask('hi');
      expect(body.choices[0].message.content).toContain(`"hi +first/filter/inlet ${by} +second/filter/inlet ${by}"`);
      expect((await ask('hi', { filter_ids: ['asked'] })).body.choices[0].message.content).toContain(
        '+asked/filter/inlet',
      );
      expect(await ask('forbidden')).toMatchObject({ status: 400, body: { detail: 'Not this' } });
      const finished = { model: 'demo', messages: [{ role: 'assistant', content: 'done' }] };
      const completed = await call('POST /api/chat/completed', finished, as);
      expect(completed.body.messages[0].content).toBe(`done +first/filter/outlet ${by} +second/filter/outlet ${by}`);
      const { body: models } = await call('GET /api/models', undefined, as);
      expect(models.data.map(({ id }: { id: string }) => id)).not.toContain('first');
    } finally {
      await disconnect();
      await server.stop();
    }
    expect((await ask('hi again')).body.choices[0].message.content).not.toContain('inlet');
  },
);

test('a server of filters that is away stops requests rather than letting them pass unseen', async () => {
  const disconnect = await connecting('http://127.0.0.1:9');
  const { token } = await aUser();
  const answer = await call(
    'POST /api/chat/completions',
    { model: 'demo', messages: [{ role: 'user', content: 'x' }] },
    { token },
  );
  await disconnect();
  expect(answer).toMatchObject({ status: 502, body: { detail: 'The filters of Remote cannot be reached' } });
});
