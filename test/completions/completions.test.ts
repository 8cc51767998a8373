import { describe, expect } from 'vitest';
import { anApiKey, aUser } from '../support/people.ts';
import { verifies } from '../support/verifies.ts';
import { useGateway } from './gateway.ts';
import { TEXT } from './model-server.ts';

const gateway = useGateway();
const messages = [{ role: 'user', content: 'Hello' }];

describe('a chat completion', () => {
  verifies(
    ['completions/format', 'completions/stream-default', 'completions/hosted-models'],
    'is one object of the common format unless a stream is asked for',
    async () => {
      const token = await anApiKey(await aUser());
      for (const path of ['/api/chat/completions', '/api/v1/chat/completions']) {
        const { status, body } = await gateway.call(`POST ${path}`, { model: 'plain', messages }, { token });
        expect({ status, body }).toMatchObject({
          status: 200,
          body: {
            object: 'chat.completion',
            choices: [{ index: 0, message: { role: 'assistant', content: TEXT }, finish_reason: 'stop' }],
            usage: { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 },
          },
        });
      }
      expect(gateway.models.asked('plain')[0]).toMatchObject({
        headers: { authorization: 'Bearer upstream-key' },
        body: { model: 'plain', messages },
      });
    },
  );
  verifies('completions/stream-sse', 'is an event stream when asked for', async () => {
    const { token } = await aUser();
    const { body, headers } = await gateway.call(
      'POST /api/chat/completions',
      { model: 'plain', messages, stream: true },
      { token },
    );
    expect(headers.get('content-type')).toContain('text/event-stream');
    expect(body).toContain('data: [DONE]');
  });
});
