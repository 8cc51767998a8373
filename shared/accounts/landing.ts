/** The page each role sees first. */
export const LANDING = {
  ROLE_USER: '/dashboard',
  ROLE_ORG_ADMIN: '/org',
  ROLE_PLATFORM_OWNER: '/platform',
} as const;
