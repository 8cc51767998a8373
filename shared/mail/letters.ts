import { quoted, type Letter } from './letter.ts';

/** Every mail about an account. Links come from our own address, never from a request. */

const greeting = (name: string) => `Hello ${quoted(name)},`;
const NOT_YOU = 'If this was not you, you can ignore this mail.';
const ALARM = 'If this was not you, reset your password at once and tell your administrator.';

export const verifyEmail = (to: { name: string; link: string; hours: number }): Letter => ({
  subject: 'Confirm your address',
  lines: [greeting(to.name), 'please confirm that this address is yours.'],
  action: { label: 'Confirm address', link: to.link },
  closing: `The link works once, for ${to.hours} hours. ${NOT_YOU}`,
});

export const alreadyRegistered = (to: { name: string; link: string }): Letter => ({
  subject: 'You already have an account',
  lines: [
    greeting(to.name),
    'someone tried to register with this address, but it already has an account.',
    'If you have forgotten the password, you can set a new one.',
  ],
  action: { label: 'Set a new password', link: to.link },
  closing: NOT_YOU,
});

export const loginCode = (to: { name: string; code: string; minutes: number }): Letter => ({
  subject: `Your login code is ${to.code}`,
  lines: [greeting(to.name), 'enter this code to finish signing in:'],
  code: to.code,
  closing: `It is valid for ${to.minutes} minutes. Nobody from us will ever ask you for it. ${ALARM}`,
});

export const resetPassword = (to: { name: string; link: string; minutes: number }): Letter => ({
  subject: 'Set a new password',
  lines: [greeting(to.name), 'here you can set a new password.'],
  action: { label: 'Set a new password', link: to.link },
  closing: `The link works once, for ${to.minutes} minutes. ${NOT_YOU}`,
});

/** For people whose password lives elsewhere: names the right way in. */
export const signInElsewhere = (to: { name: string; way: 'SSO' | 'LDAP' | 'OAUTH'; link: string }): Letter => ({
  subject: 'How you sign in',
  lines: [
    greeting(to.name),
    to.way === 'LDAP'
      ? 'your password is kept by the directory of your company; please change it there.'
      : 'your account signs in through your identity provider and has no password here. Use the button for single sign-on.',
  ],
  action: { label: 'Open the sign-in page', link: to.link },
  closing: NOT_YOU,
});

export const invitation = (to: {
  organization: string;
  inviter: string;
  link: string;
  days: number;
  message?: string;
}): Letter => ({
  subject: `Invitation to ${quoted(to.organization, 60)}`,
  lines: [
    'Hello,',
    `${quoted(to.inviter)} invites you to join ${quoted(to.organization)}.`,
    ...(to.message ? [`“${quoted(to.message, 500)}”`] : []),
  ],
  action: { label: 'View the invitation', link: to.link },
  closing: `The link works once, for ${to.days} days. If you do not know the sender, ignore this mail.`,
});

/** Something has happened to the account; the owner should know. */
export const notice = (to: { name: string; subject: string; lines: readonly string[] }): Letter => ({
  subject: to.subject,
  lines: [greeting(to.name), ...to.lines],
  closing: ALARM,
});

export const passwordChanged = (to: { name: string }) =>
  notice({
    ...to,
    subject: 'Your password was changed',
    lines: ['your password was changed, and every session has ended.'],
  });

export const secondStepChanged = (to: { name: string; isOn: boolean }) =>
  notice({
    ...to,
    subject: `Two-step login is ${to.isOn ? 'on' : 'off'}`,
    lines: [
      `two-step login was switched ${to.isOn ? 'on' : 'off'} for your account, and every other session has ended.`,
    ],
  });

export const apiKeyCreated = (to: { name: string; keyName: string }) =>
  notice({
    ...to,
    subject: 'A new API key was created',
    lines: [`the API key “${quoted(to.keyName)}” was created for your account.`],
  });
