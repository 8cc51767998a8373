import net from 'node:net';
import { expect, test } from 'vitest';
import { newAddress, PASSWORD } from '../support/accounts.ts';
import { call } from '../support/call.ts';
import { awaitMail } from '../support/mailbox.ts';
import { host } from '../support/host.ts';
import { spawnHost } from '../support/spawn-host.ts';

/** The smallest mail server that a client can talk to. */
async function startSmtpSink() {
  const messages: string[] = [];
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    let text = '';
    let isData = false;
    const say = (line: string) => socket.write(`${line}\r\n`);
    say('220 sink');
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      text += chunk.toString('utf8');
      for (let end = text.indexOf('\r\n'); end >= 0 && !isData; end = text.indexOf('\r\n')) {
        const line = text.slice(0, end);
        text = text.slice(end + 2);
        if (/^DATA/i.test(line)) isData = true;
        say(isData ? '354 go on' : /^QUIT/i.test(line) ? '221 bye' : '250 ok');
      }
      if (isData && text.includes('\r\n.\r\n')) {
        messages.push(text.slice(0, text.indexOf('\r\n.\r\n')));
        text = '';
        isData = false;
        say('250 kept');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const stop = () =>
    new Promise((resolve) => {
      server.close(resolve);
      for (const socket of sockets) socket.destroy();
    });
  const port = typeof address === 'object' && address ? address.port : 0;
  return { url: `smtp://127.0.0.1:${port}`, messages, stop };
}

test('a mail arrives with its text and HTML, from the configured sender', async () => {
  const email = newAddress();
  await call('POST /api/auth/register', { name: 'Ada', email, password: PASSWORD });
  const mail = await awaitMail(email, /Confirm/);
  expect(mail).toMatchObject({ to: [email], subject: 'Confirm your address' });
  expect(mail.text).toContain(`${host.url}/account/verify-email#token=`);
  expect(mail.html).toContain('<!doctype html>');
});

test('with SMTP_URL mails go to that server, and while it is down requests go on', async () => {
  const sink = await startSmtpSink();
  const started = await spawnHost({
    env: { SMTP_URL: sink.url, MAIL_FROM: 'Team <team@example.test>', ENV: 'test', BCRYPT_COST: '4' },
  });
  try {
    const email = newAddress();
    const register = (address = newAddress()) =>
      call('POST /api/auth/register', { name: 'Ada', email: address, password: PASSWORD }, { url: started.url });
    expect(await register(email)).toMatchObject({ status: 201 });
    await expect.poll(() => sink.messages.length, { timeout: 10_000 }).toBe(1);
    const [message = ''] = sink.messages;
    expect(message).toContain('From: Team <team@example.test>');
    expect(message).toContain(`To: ${email}`);
    expect(message).toMatch(/multipart\/alternative/);
    await sink.stop();
    expect(await register()).toMatchObject({ status: 201 });
    await expect.poll(() => started.output(), { timeout: 10_000 }).toContain('message failed');
    expect(started.output()).not.toContain(PASSWORD);
  } finally {
    await started.stop();
  }
});
