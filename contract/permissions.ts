/** Roles × actions: the single authorisation table. The server enforces it; the console hides what it forbids. */
export const instanceRoles = ['owner', 'manager', 'finance', 'member'] as const;
export type InstanceRole = (typeof instanceRoles)[number];

export const siteRoles = ['admin', 'editor', 'analyst', 'support', 'viewer'] as const;
export type SiteRole = (typeof siteRoles)[number];

const instanceTable = {
  'site.create': ['owner', 'manager'],
  'site.seeAll': ['owner', 'manager'],
  /** Suspend sites, end a suspension, and change suspended sites. */
  'site.suspend': ['owner', 'manager'],
  'people.read': ['owner', 'manager'],
  /** Invite people; and for those whom `mayManage` allows: change roles and grants, sign out, disable, delete. */
  'people.manage': ['owner', 'manager'],
  /** Reset a lost second factor, and create a one-time link that sets a password. */
  'people.reset': ['owner'],
  'policy.write': ['owner'],
  'audit.read': ['owner', 'manager'],
  'contacts.read': ['owner', 'manager', 'finance'],
  'contacts.write': ['owner', 'manager', 'finance'],
  /** The caller's own orders; all orders with `trades.readAll`. */
  'trades.read': ['owner', 'manager', 'finance', 'member'],
  'trades.readAll': ['owner', 'manager', 'finance'],
  'trades.write': ['owner', 'finance'],
} as const satisfies Record<string, readonly InstanceRole[]>;
export type InstanceAction = keyof typeof instanceTable;

const siteTable = {
  'site.read': ['admin', 'editor', 'analyst', 'support', 'viewer'],
  'site.rename': ['admin'],
  /** Settings, theme, menus, routes and languages of the delivered site. */
  'site.compose': ['admin'],
  /** Releases. Which records a release may publish is defined by the access rules of their tables. */
  'site.publish': ['admin', 'editor'],
  'site.archive': ['admin'],
  'site.delete': ['admin'],
  'analytics.read': ['admin', 'editor', 'analyst', 'viewer'],
  'analytics.export': ['admin', 'analyst'],
  /** Goals, funnels, segments and annotations. */
  'analytics.write': ['admin', 'editor', 'analyst'],
  /** Measurement of the site, and everything that leaves or enters in bulk: rules, privacy, erasure, imports, sharing, reports. */
  'analytics.configure': ['admin'],
  /** Content tables. Access to records is defined by access rules of each table (`contract/tables/terms.ts`), which code checks. */
  'tables.use': ['admin', 'editor', 'analyst', 'support', 'viewer'],
  /** Table definitions, access rules, webhooks, indexes. */
  'tables.design': ['admin'],
  /** Images, videos and other files. */
  'resources.read': ['admin', 'editor', 'analyst', 'support', 'viewer'],
  'resources.write': ['admin', 'editor'],
  /** Limits of what a site stores. */
  'resources.configure': ['admin'],
  /** Crawlers, their runs and what they found. */
  'crawler.read': ['admin', 'editor', 'analyst', 'viewer'],
  /** Start, pause and stop runs; ignore issues; read one page again. */
  'crawler.run': ['admin', 'editor', 'analyst'],
  /** Create, change and delete crawlers. */
  'crawler.configure': ['admin'],
  /** Conversations with visitors, notes and personal data of visitors included. */
  'support.read': ['admin', 'editor', 'analyst', 'support'],
  /** Answer, assign, block, and everything else that agents do. */
  'support.reply': ['admin', 'support'],
  /** Settings of customer service, canned replies of the site, and erasing visitors. */
  'support.configure': ['admin'],
} as const satisfies Record<string, readonly SiteRole[]>;
export type SiteAction = keyof typeof siteTable;

export const may = (role: InstanceRole, action: InstanceAction): boolean => (instanceTable[action] as readonly InstanceRole[]).includes(role);
export const mayOnSite = (role: SiteRole, action: SiteAction): boolean => (siteTable[action] as readonly SiteRole[]).includes(role);
export const instanceActions = Object.keys(instanceTable) as InstanceAction[];

const covers = (a: InstanceRole, b: InstanceRole): boolean => instanceActions.every((action) => !may(b, action) || may(a, action));

/** A person can only assign permissions that they have: a manager cannot create an owner, nor a finance person (who may write trades). */
export const mayAssign = (actor: InstanceRole, role: InstanceRole): boolean => may(actor, 'people.manage') && covers(actor, role);

/** Owners manage everybody; others manage only people with strictly fewer permissions. */
export const mayManage = (actor: InstanceRole, target: InstanceRole): boolean =>
  actor === 'owner' || (may(actor, 'people.manage') && covers(actor, target) && !covers(target, actor));

/**
 * Scopes of API tokens. An endpoint names the one scope that opens it (`token` in its row); endpoints without a scope are closed to tokens, and so are all that
 * require a proof. A token never has more permissions than its owner currently has.
 */
export const tokenScopes = [
  'site:read',
  'site:write',
  'analytics:read',
  'analytics:write',
  'tables:read',
  'tables:write',
  'tables:design',
  'resources:read',
  'resources:write',
  'publishing:read',
  'publishing:write',
  'crawler:read',
  'crawler:write',
  'support:read',
  'support:write',
  'account:read',
  'account:write',
] as const;
export type TokenScope = (typeof tokenScopes)[number];
