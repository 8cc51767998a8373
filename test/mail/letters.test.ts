import { describe, expect, test } from 'vitest';
import { renderLetter, type Letter } from '../../shared/mail/letter.ts';
import * as letters from '../../shared/mail/letters.ts';

const EVIL = `<script>alert(1)</script>"'&\r\nBcc: x@evil.example`;
const link = 'https://atrium.example/account/page#token=abc';

const all: Record<string, Letter> = {
  verifyEmail: letters.verifyEmail({ name: EVIL, link, hours: 24 }),
  alreadyRegistered: letters.alreadyRegistered({ name: EVIL, link }),
  loginCode: letters.loginCode({ name: EVIL, code: '012345', minutes: 5 }),
  resetPassword: letters.resetPassword({ name: EVIL, link, minutes: 30 }),
  signInElsewhere: letters.signInElsewhere({ name: EVIL, way: 'SSO', link }),
  invitation: letters.invitation({ organization: EVIL, inviter: EVIL, link, days: 7, message: EVIL }),
  passwordChanged: letters.passwordChanged({ name: EVIL }),
  secondStepChanged: letters.secondStepChanged({ name: EVIL, isOn: true }),
  apiKeyCreated: letters.apiKeyCreated({ name: EVIL, keyName: EVIL }),
};

describe.each(Object.entries(all))('%s', (_, letter) => {
  const { subject, html, text } = renderLetter(letter, 'Atrium');

  test('has a one-line subject, a text and an HTML part that say the same', () => {
    expect(subject).toMatch(/^[^\r\n]{5,140}$/);
    expect(text.length).toBeGreaterThan(40);
    for (const part of [letter.action?.link, letter.code].filter((one) => one !== undefined)) {
      expect(text).toContain(part);
      expect(html).toContain(part);
    }
  });

  test('keeps what people typed from becoming markup or headers', () => {
    expect(html).not.toContain('<script');
    expect(html).not.toMatch(/"'&(?!\w+;|#)/);
    expect(`${subject}\n${text}`).not.toMatch(/^Bcc:/m);
  });
});

test('a typed text is cut before it drowns the mail', () => {
  const { text } = renderLetter(letters.verifyEmail({ name: 'x'.repeat(5000), link, hours: 1 }), 'Atrium');
  expect(text.length).toBeLessThan(600);
});
