/** Roles × actions: the one authorisation table. The server enforces it; the console hides what it forbids. */
export const instanceRoles = ['owner', 'manager', 'finance', 'member'] as const;
export type InstanceRole = (typeof instanceRoles)[number];

export const siteRoles = ['admin', 'editor', 'analyst', 'support', 'viewer'] as const;
export type SiteRole = (typeof siteRoles)[number];

const instanceTable = {
  'site.create': ['owner', 'manager'],
  'site.seeAll': ['owner', 'manager'],
  'contacts.read': ['owner', 'manager', 'finance'],
  'contacts.write': ['owner', 'manager', 'finance'],
  'demo.create': ['owner', 'manager'],
} as const satisfies Record<string, readonly InstanceRole[]>;
export type InstanceAction = keyof typeof instanceTable;

const siteTable = {
  'site.read': ['admin', 'editor', 'analyst', 'support', 'viewer'],
  'site.rename': ['admin'],
  'site.archive': ['admin'],
  'site.delete': ['admin'],
  'analytics.read': ['admin', 'editor', 'analyst', 'viewer'],
  'analytics.export': ['admin', 'analyst'],
} as const satisfies Record<string, readonly SiteRole[]>;
export type SiteAction = keyof typeof siteTable;

export const may = (role: InstanceRole, action: InstanceAction): boolean => (instanceTable[action] as readonly InstanceRole[]).includes(role);
export const mayOnSite = (role: SiteRole, action: SiteAction): boolean => (siteTable[action] as readonly SiteRole[]).includes(role);
export const instanceActions = Object.keys(instanceTable) as InstanceAction[];
