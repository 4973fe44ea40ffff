/** Blocking visitors of delivered sites by country. Terms without zod. */

export const ruleModes = ['deny_listed', 'allow_listed'] as const;
export type RuleMode = (typeof ruleModes)[number];

/** log_only: visitors notice nothing; the log says what would have happened. */
export const ruleActions = ['block', 'challenge', 'log_only'] as const;
export type RuleAction = (typeof ruleActions)[number];

/** Status of refusals; 451 (RFC 7725) where a legal demand is the reason. */
export const refusalStatuses = [403, 451] as const;
export type RefusalStatus = (typeof refusalStatuses)[number];

/** Stands for an address whose country is not known. */
export const unknownCountry = 'XX';

/** The step that decided about a request, in order of evaluation. */
export const decisionReasons = [
  'disabled',
  'no_database',
  'fixed_path',
  'open_path',
  'open_network',
  'private_address',
  'verified_bot',
  'country_allowed',
  'challenge_passed',
  'country_refused',
] as const;
export type DecisionReason = (typeof decisionReasons)[number];

/**
 * What a rule may do that its author should know.
 *
 * would_block_you   the address of the person who saves it would be refused
 * googlebot_us      search engines crawl from the US, which is refused
 * cloaking          search engines get pages that people in the same countries do not get
 * filing_cn         the site has an approved filing, and visitors from the mainland are refused
 * no_database       countries cannot be told, so the rule does nothing
 * database_old      the address database is older than 400 days, so the rule does nothing
 * proxy_untrusted   a proxy that is not trusted hides the addresses of visitors
 * behind_cache      a cache in front of the program answers without asking it
 */
export const ruleWarnings = [
  'would_block_you',
  'googlebot_us',
  'cloaking',
  'filing_cn',
  'no_database',
  'database_old',
  'proxy_untrusted',
  'behind_cache',
] as const;
export type RuleWarning = (typeof ruleWarnings)[number];
/** Those that have to be accepted by name before the rule is saved. */
export const warningsToAccept = ['would_block_you', 'filing_cn'] as const satisfies readonly RuleWarning[];

/** Always open: certificates, crawlers that ask what they may, and the challenge itself. */
export const fixedPaths = ['/.well-known/', '/robots.txt$', '/_challenge'] as const;

export const countryBlockLimits = {
  countries: 250,
  /** Networks after overlapping ones are merged. */
  networks: 500,
  paths: 50,
  message: 1000,
  /** Bytes of pasted addresses. */
  addressBytes: 4 * 1024 ** 2,
  /** Lines of pasted addresses that are listed as refused. */
  refusedLines: 100,
  /** Days after which the address database counts as old. */
  databaseDays: 400,
  /** Hours for which a passed challenge is valid. */
  challengeHours: 12,
  /** Days of visits that a preview reads. */
  previewDays: 30,
  /** Rows of the log per second and process; above, they are sampled. */
  logPerSecond: 50,
} as const;
