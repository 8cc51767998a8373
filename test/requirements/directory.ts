import type { Statement } from './requirement.ts';

export const directory = {
  'ldap/company-unit':
    'With LDAP_PROVISIONING_ENABLED=true registering a company creates ou=<CompanyName>,ou=companies,{LDAP_BASE_DN}',
  'ldap/sub-units': 'A company unit has the sub-units People, Groups and Departments',
  'ldap/disabled': 'Without LDAP_PROVISIONING_ENABLED registering a company leaves the directory alone',
  'ldap/group-entry': 'A group has a matching cn= entry',
  'ldap/group-rename': 'Renaming a group renames its cn= entry',
  'ldap/stored-name': 'The company unit is found by its stored name and survives a change of the company code',
  'federation/settings': 'A company can configure its own directory in a settings dialog',
  'federation/independent': 'Tenant federation works with the provisioning directory off, and the reverse',
  'federation/per-tenant': 'The directory of one tenant never authenticates users of another',
  'modes/enterprise': 'The enterprise mode works with SSO and a tenant directory side by side',
} as const satisfies Record<string, Statement>;
