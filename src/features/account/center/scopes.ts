import type { TokenScope } from '@contract/permissions';

/** Under which word each scope is explained: a colon parts namespaces in message keys. */
export const scopeWord = {
  'site:read': 'siteRead',
  'site:write': 'siteWrite',
  'analytics:read': 'analyticsRead',
  'analytics:write': 'analyticsWrite',
  'tables:read': 'tablesRead',
  'tables:write': 'tablesWrite',
  'tables:design': 'tablesDesign',
  'account:read': 'accountRead',
  'account:write': 'accountWrite',
} as const satisfies Record<TokenScope, string>;
