import type { Letter } from '../mail/letter.ts';
import { notice } from '../mail/letters.ts';

/** What people are told when someone else changes their place. */

const ROLE_NAMES = { ROLE_USER: 'a member', ROLE_ORG_ADMIN: 'an administrator' } as const;

export const roleChanged = (to: { name: string; role: keyof typeof ROLE_NAMES }): Letter =>
  notice({
    name: to.name,
    subject: 'Your role was changed',
    lines: [`you are now ${ROLE_NAMES[to.role]} of your organization. Please sign in again.`],
  });

export const deactivated = (to: { name: string }): Letter =>
  notice({
    name: to.name,
    subject: 'Your account was deactivated',
    lines: ['an administrator has deactivated your account. Your sessions and API keys no longer work.'],
  });

export const reactivated = (to: { name: string }): Letter =>
  notice({
    name: to.name,
    subject: 'Your account is active again',
    lines: ['an administrator has reactivated your account. You can sign in again.'],
  });

export const removed = (to: { name: string }): Letter =>
  notice({
    name: to.name,
    subject: 'You have left your organization',
    lines: ['you are no longer a member of your organization. You keep a personal account with this address.'],
  });

export const sessionsEnded = (to: { name: string }): Letter =>
  notice({
    name: to.name,
    subject: 'You were signed out everywhere',
    lines: ['an administrator has ended all your sessions. Please sign in again.'],
  });
