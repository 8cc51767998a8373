import * as z from 'zod';
import { SessionView } from '../../../shared/accounts/session-view.ts';
import { OrganizationView, UserView } from '../../../shared/accounts/views.ts';

export const OrganizationSummary = OrganizationView.pick({
  id: true,
  name: true,
  code: true,
  status: true,
  authProvider: true,
  plan: true,
  requireOtp: true,
});

export const MeView = UserView.extend({
  locale: z.string().nullable(),
  totpEnabled: z.boolean(),
  organization: OrganizationSummary.nullable(),
  permissions: z.array(z.string()),
  landing: SessionView.shape.landing,
});
