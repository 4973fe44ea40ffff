import type { TokenScope } from '@contract/permissions';

/** Message key of each scope: a colon separates namespaces in message keys. */
export const scopeKey = {
  'site:read': 'siteRead',
  'site:write': 'siteWrite',
  'analytics:read': 'analyticsRead',
  'analytics:write': 'analyticsWrite',
  'tables:read': 'tablesRead',
  'tables:write': 'tablesWrite',
  'tables:design': 'tablesDesign',
  'resources:read': 'resourcesRead',
  'resources:write': 'resourcesWrite',
  'publishing:read': 'publishingRead',
  'publishing:write': 'publishingWrite',
  'crawler:read': 'crawlerRead',
  'crawler:write': 'crawlerWrite',
  'support:read': 'supportRead',
  'support:write': 'supportWrite',
  'account:read': 'accountRead',
  'account:write': 'accountWrite',
} as const satisfies Record<TokenScope, string>;
