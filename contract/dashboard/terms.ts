import type { InstanceAction, SiteAction, TokenScope } from '../permissions';

/** The cards of the dashboard in the order in which they appear. */
export const cardIds = ['attention', 'setup', 'live', 'today', 'top', 'vitals', 'search', 'support', 'hostnames', 'content', 'capacity', 'activity'] as const;
export type CardId = (typeof cardIds)[number];

/**
 * ok: the data are as old as the card allows. stale: they could not be read again in time, so these are older. empty: there is nothing to show yet. error: they
 * could not be read, and there are no older ones. forbidden: the caller may not open the screen of the card.
 */
export const cardStates = ['ok', 'stale', 'empty', 'error', 'forbidden'] as const;
export type CardState = (typeof cardStates)[number];

/** What the caller must be allowed to do; a token also needs the scope. */
export type Need = { readonly action: { readonly site: SiteAction } | { readonly instance: InstanceAction }; readonly scope: TokenScope };
const onSite = (site: SiteAction, scope: TokenScope): Need => ({ action: { site }, scope });

/** Who sees a card: those who may open its screen. */
export const cardNeeds: Readonly<Record<CardId, Need>> = /* #__PURE__ */ {
  attention: onSite('site.read', 'site:read'),
  setup: onSite('site.publish', 'publishing:read'),
  live: onSite('analytics.read', 'analytics:read'),
  today: onSite('analytics.read', 'analytics:read'),
  top: onSite('analytics.read', 'analytics:read'),
  vitals: onSite('analytics.read', 'analytics:read'),
  search: onSite('crawler.read', 'crawler:read'),
  support: onSite('support.read', 'support:read'),
  hostnames: onSite('site.read', 'publishing:read'),
  content: onSite('tables.use', 'tables:read'),
  capacity: onSite('resources.read', 'resources:read'),
  activity: { action: { instance: 'audit.read' }, scope: 'account:read' },
};

/** What may need attention, the most urgent first. */
export const attentionKinds = [
  'site_down',
  'certificate_expired',
  'hostname_error',
  'errors_spike',
  'robots_block_all',
  'filing_overdue',
  'conversations_waiting',
  'country_database',
  'certificate_expiring',
  'hostname_problem',
  'publish_failed',
  'import_failed',
  'crawl_failed',
  'job_failed',
  'storage_full',
  'hits_refused',
  'filing_due',
  'theme_failing',
  'vitals_over_budget',
  'no_security_contact',
] as const;
export type AttentionKind = (typeof attentionKinds)[number];
export const severities = ['bad', 'warning', 'info'] as const;

/** Who hears of what: those who may open the screen on which it can be looked into. */
export const attentionNeeds: Readonly<Record<AttentionKind, Need>> = /* #__PURE__ */ {
  site_down: onSite('site.read', 'site:read'),
  certificate_expired: onSite('site.read', 'publishing:read'),
  hostname_error: onSite('site.read', 'publishing:read'),
  errors_spike: onSite('analytics.read', 'analytics:read'),
  robots_block_all: onSite('site.read', 'publishing:read'),
  filing_overdue: onSite('site.read', 'site:read'),
  conversations_waiting: onSite('support.read', 'support:read'),
  country_database: onSite('site.read', 'publishing:read'),
  certificate_expiring: onSite('site.read', 'publishing:read'),
  hostname_problem: onSite('site.read', 'publishing:read'),
  publish_failed: onSite('site.publish', 'publishing:read'),
  // Names of jobs tell of tables, files and addresses, so each kind of job has further needs (`jobNeeds`).
  import_failed: onSite('site.read', 'site:read'),
  crawl_failed: onSite('site.read', 'site:read'),
  job_failed: onSite('site.read', 'site:read'),
  storage_full: onSite('resources.read', 'resources:read'),
  hits_refused: onSite('analytics.configure', 'analytics:read'),
  filing_due: onSite('site.read', 'site:read'),
  theme_failing: onSite('site.compose', 'publishing:read'),
  vitals_over_budget: onSite('analytics.read', 'analytics:read'),
  no_security_contact: { action: { instance: 'contacts.write' }, scope: 'account:read' },
};

/** What failed jobs of a kind need besides, by the beginning of the kind: the same as the screen that lists them. Tokens never see jobs of other kinds. */
export const jobNeeds: readonly { readonly of: string; readonly need: Need }[] = /* #__PURE__ */ [
  { of: 'analytics.', need: onSite('analytics.configure', 'analytics:read') },
  { of: 'siteImport.', need: onSite('site.compose', 'site:read') },
  { of: 'crawler.', need: onSite('crawler.read', 'crawler:read') },
  { of: 'tables.', need: onSite('tables.design', 'tables:read') },
  { of: 'resources.', need: onSite('resources.read', 'resources:read') },
  { of: 'languages.', need: onSite('site.compose', 'publishing:read') },
  { of: 'seo.', need: onSite('site.compose', 'publishing:read') },
  { of: 'site.', need: onSite('site.compose', 'site:read') },
];

/** Steps of setting a site up, in the order of the list. `external`: also of sites whose pages are hosted elsewhere. */
export const setupSteps = [
  { id: 'identity', external: false },
  { id: 'page', external: false },
  { id: 'theme', external: false },
  { id: 'publish', external: false },
  { id: 'hostname', external: false },
  { id: 'certificate', external: false },
  { id: 'receiving', external: true },
  { id: 'sitemap', external: false },
  { id: 'filing', external: true },
  { id: 'support', external: true },
  { id: 'secondAdmin', external: true },
] as const;
export type SetupStep = (typeof setupSteps)[number]['id'];

export const snoozeDays = [1, 7, 30] as const;
/** What today's visitors are divided by to say why their number changed. */
export const changeDimensions = ['sourceName', 'entryPath', 'country', 'deviceType'] as const;
export type ChangeDimension = (typeof changeDimensions)[number];

/** What is looked into for a page that lost visitors. */
export const causeSources = ['keywords', 'issues', 'redirects'] as const;
export type CauseSource = (typeof causeSources)[number];
/** Who reads it: those who may open its screen. */
export const causeNeeds: Readonly<Record<CauseSource, Need>> = /* #__PURE__ */ {
  keywords: onSite('analytics.read', 'analytics:read'),
  issues: onSite('crawler.read', 'crawler:read'),
  redirects: onSite('site.read', 'publishing:read'),
};

export const dashboardLimits = {
  /** Milliseconds that a card may take. */
  cardMs: 2000,
  /** Entries of the lists of a card. */
  attention: 50,
  top: 5,
  livePages: 3,
  hostnames: 5,
  activity: 10,
  /** Rows of one division of a change; the others are added up. */
  changeRows: 6,
  /** Pages with the greatest loss that are looked into, those that are listed, and rows of one kind at a page. */
  causePages: 50,
  causes: 5,
  causeRows: 3,
  /** Days of positions, and by how much a position is worse. */
  causeDays: 7,
  causePosition: 1,
  /** In the first hour of a day percentages say nothing, and neither do they with fewer visits than this on both sides. */
  earlyMs: 3_600_000,
  earlyVisits: 10,
  /** Share of failed requests of the last hour that is a spike, and the number of failures from which it counts. */
  spikeShare: 0.05,
  spikeErrors: 10,
} as const;
