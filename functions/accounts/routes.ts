import { defineRoutes } from '../../shared/http/route.ts';
import { compat } from './contract/compat.ts';
import { keys } from './contract/keys.ts';
import { profile } from './contract/profile.ts';
import { registration } from './contract/registration.ts';
import { signIn } from './contract/sign-in.ts';

export const routes = defineRoutes({
  ...registration,
  ...signIn,
  ...profile,
  ...keys,
  ...compat,
  page: {
    method: 'GET',
    path: '/account/{page}',
    auth: 'open',
    summary: 'The pages that links in mails lead to',
    errors: ['not_found'],
  },
});
