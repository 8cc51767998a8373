// An external tool: any program that can send HTTP. It learns of the chat from the forwarded headers
// and reports its progress with a key of its own.
import { createServer } from 'node:http';

export function startWeather({ platform, key }) {
  const report = ({ 'x-svc-chat-id': chat, 'x-svc-message-id': message }, event) =>
    fetch(`${platform}/api/v1/chats/${chat}/messages/${message}/event`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(event),
    });
  const parameters = [{ name: 'city', in: 'query', required: true, schema: { type: 'string' } }];
  const operation = { operationId: 'weather', summary: 'The weather in a city', parameters };
  const openapi = {
    openapi: '3.1.0',
    info: { title: 'Weather', version: '1' },
    paths: { '/weather': { get: operation } },
  };

  return createServer(async (request, response) => {
    const url = new URL(request.url, 'http://tool');
    if (url.pathname === '/openapi.json') return response.end(JSON.stringify(openapi));
    const city = url.searchParams.get('city');
    await report(request.headers, { type: 'status', data: { description: `Looking up ${city}`, done: true } });
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ city, sky: 'clear' }));
  });
}
