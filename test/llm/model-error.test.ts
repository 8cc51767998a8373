import { expect, test } from 'vitest';
import { decodeError } from '../../shared/llm/model-error.ts';

test.each<[string, unknown, number | undefined, object]>([
  [
    'chat completions',
    { error: { message: 'Bad key', type: 'invalid_request_error', code: 'invalid_api_key' } },
    401,
    { status: 401, message: 'Bad key', type: 'invalid_request_error' },
  ],
  [
    'messages',
    { type: 'error', error: { type: 'overloaded_error', message: 'Busy' } },
    529,
    { status: 529, message: 'Busy', type: 'overloaded_error' },
  ],
  [
    'the runtime',
    { error: 'model "x" not found' },
    404,
    { status: 404, message: 'model "x" not found', type: 'not_found_error' },
  ],
  [
    'a web framework',
    { detail: 'Not authenticated' },
    401,
    { status: 401, message: 'Not authenticated', type: 'authentication_error' },
  ],
  [
    'a validating framework',
    { detail: [{ loc: ['body'], msg: 'Field required' }] },
    422,
    { status: 422, type: 'invalid_request_error' },
  ],
  [
    'a list',
    [{ error: { code: 400, message: 'Bad', status: 'INVALID_ARGUMENT' } }],
    400,
    { status: 400, message: 'Bad', type: 'invalid_request_error' },
  ],
  ['text', 'upstream connect error', 503, { status: 503, message: 'upstream connect error', type: 'overloaded_error' }],
  [
    'JSON as text',
    '{"error":{"message":"Slow down"}}',
    429,
    { status: 429, message: 'Slow down', type: 'rate_limit_error' },
  ],
  [
    'a page',
    '<html><body>502</body></html>',
    502,
    { status: 502, message: 'The model server answered with status 502', type: 'api_error' },
  ],
  ['nothing', '', 500, { status: 500, message: 'The model server answered with status 500', type: 'api_error' }],
  [
    'a stream, with a code',
    { error: { message: 'x', code: 429 } },
    undefined,
    { status: 429, message: 'x', type: 'rate_limit_error' },
  ],
  [
    'a stream, with a type',
    { error: { message: 'x', type: 'rate_limit_error' } },
    undefined,
    { status: 429, type: 'rate_limit_error' },
  ],
  ['a stream, without either', { error: { message: 'x' } }, undefined, { message: 'x', type: 'api_error' }],
])('the error of %s is read', (_, body, status, error) => {
  expect(decodeError(body, status)).toMatchObject(error);
});

test('a message as long as a book is cut', () => {
  expect(decodeError('x'.repeat(100_000), 500).message.length).toBeLessThanOrEqual(2000);
});
