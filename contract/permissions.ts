/** Roles × actions: the one authorisation table. The server enforces it; the console hides what it forbids. */
export const instanceRoles = ['owner', 'manager', 'finance', 'member'] as const;
export type InstanceRole = (typeof instanceRoles)[number];

export const siteRoles = ['admin', 'editor', 'analyst', 'support', 'viewer'] as const;
export type SiteRole = (typeof siteRoles)[number];

const instanceTable = {
  'site.create': ['owner', 'manager'],
  'site.seeAll': ['owner', 'manager'],
  'people.read': ['owner', 'manager'],
  /** Invite, change roles and grants, sign out, disable, delete: of those whom `mayManage` allows. */
  'people.manage': ['owner', 'manager'],
  /** Reset a lost second factor, and make a one-time link that sets a password. */
  'people.reset': ['owner'],
  'policy.write': ['owner'],
  'audit.read': ['owner', 'manager'],
  'contacts.read': ['owner', 'manager', 'finance'],
  'contacts.write': ['owner', 'manager', 'finance'],
  /** One's own orders; everybody's with `trades.readAll`. */
  'trades.read': ['owner', 'manager', 'finance', 'member'],
  'trades.readAll': ['owner', 'manager', 'finance'],
  'trades.write': ['owner', 'finance'],
} as const satisfies Record<string, readonly InstanceRole[]>;
export type InstanceAction = keyof typeof instanceTable;

const siteTable = {
  'site.read': ['admin', 'editor', 'analyst', 'support', 'viewer'],
  'site.rename': ['admin'],
  'site.archive': ['admin'],
  'site.delete': ['admin'],
  'analytics.read': ['admin', 'editor', 'analyst', 'viewer'],
  'analytics.export': ['admin', 'analyst'],
  /** Goals, funnels, segments and annotations. */
  'analytics.write': ['admin', 'editor', 'analyst'],
  /** How the site is measured, and everything that leaves or enters in bulk: rules, privacy, erasing, imports, sharing, reports. */
  'analytics.configure': ['admin'],
  /** Content tables: what somebody may do with records is a matter of rules by table (`contract/tables/terms.ts`), asked for by code. */
  'tables.use': ['admin', 'editor', 'analyst', 'support', 'viewer'],
  /** Definitions of tables, who may do what with records, webhooks, indexes. */
  'tables.design': ['admin'],
} as const satisfies Record<string, readonly SiteRole[]>;
export type SiteAction = keyof typeof siteTable;

export const may = (role: InstanceRole, action: InstanceAction): boolean => (instanceTable[action] as readonly InstanceRole[]).includes(role);
export const mayOnSite = (role: SiteRole, action: SiteAction): boolean => (siteTable[action] as readonly SiteRole[]).includes(role);
export const instanceActions = Object.keys(instanceTable) as InstanceAction[];

const covers = (a: InstanceRole, b: InstanceRole): boolean => instanceActions.every((action) => !may(b, action) || may(a, action));

/** Nobody gives away more than they have: a manager cannot make an owner, nor a finance person (who may write trades). */
export const mayAssign = (actor: InstanceRole, role: InstanceRole): boolean => may(actor, 'people.manage') && covers(actor, role);

/** Owners manage everybody; others only those who may do strictly less than they do. */
export const mayManage = (actor: InstanceRole, target: InstanceRole): boolean =>
  actor === 'owner' || (may(actor, 'people.manage') && covers(actor, target) && !covers(target, actor));

/**
 * What an API token may be made for. An endpoint names the one scope that opens it (`token` in its row); what names none
 * is closed to tokens, and so is everything that needs the password proven again. A token never does more than its owner may now.
 */
export const tokenScopes = [
  'site:read',
  'site:write',
  'analytics:read',
  'analytics:write',
  'tables:read',
  'tables:write',
  'tables:design',
  'account:read',
  'account:write',
] as const;
export type TokenScope = (typeof tokenScopes)[number];
