/** What search engines are told about a delivered site. Terms without zod. */

/** Kinds of pages with templates of their own. */
export const pageKinds = ['home', 'record', 'list', 'template', 'search', 'not_found'] as const;
export type PageKind = (typeof pageKinds)[number];
/** Variables of titles and descriptions. */
export const templateVariables = ['title', 'site', 'tagline', 'sep', 'collection', 'page', 'date', 'description'] as const;
export type TemplateVariable = (typeof templateVariables)[number];

export const indexingValues = ['index', 'noindex'] as const;
export type IndexingValue = (typeof indexingValues)[number];
/** What a record may be in structured data. */
export const entityTypes = ['Article', 'Product', 'none'] as const;
/** Properties of a product that a site sets; the others follow from its page. */
export const entityProperties = ['price', 'priceCurrency', 'sku', 'brand'] as const;
export type EntityProperty = (typeof entityProperties)[number];
export const llmsModes = ['off', 'auto', 'text'] as const;
/** What may be wrong with a page for search engines. */
export const pageProblems = [
  'title_missing',
  'title_long',
  'title_duplicate',
  'description_missing',
  'description_long',
  'description_duplicate',
  'noindex',
  'machine',
  'no_image',
] as const;
export type PageProblem = (typeof pageProblems)[number];

export const verificationServices = ['google', 'bing', 'baidu', 'yandex', 'so360', 'sogou', 'shenma', 'toutiao', 'naver', 'pinterest', 'wechat'] as const;
export type VerificationService = (typeof verificationServices)[number];
export const verificationMethods = ['file', 'meta'] as const;
export type VerificationMethod = (typeof verificationMethods)[number];

export const pushEngines = ['indexnow', 'baidu'] as const;
export type PushEngine = (typeof pushEngines)[number];
/** waiting: not sent yet, or the quota of the day is used up. refused: the service does not want the address. */
export const pushStates = ['waiting', 'sent', 'refused', 'failed'] as const;
export type PushState = (typeof pushStates)[number];
/** Why an address is pushed: its content changed, the page is gone, or somebody chose it. */
export const pushKinds = ['changed', 'removed', 'manual'] as const;
export type PushKind = (typeof pushKinds)[number];
/**
 * Why an address was not taken. `key_refused`, `token_refused` and `site_unknown` stop the engine until the settings change; `quota` lasts until tomorrow;
 * `too_often`, `unreachable` and `engine_error` are tried again.
 */
export const pushReasons = [
  'key_refused',
  'token_refused',
  'site_unknown',
  'other_host',
  'not_valid',
  'quota',
  'too_often',
  'unreachable',
  'engine_error',
] as const;
export type PushReason = (typeof pushReasons)[number];

export const widthTargets = ['desktop', 'mobile', 'baidu'] as const;

/** Programs of AI services that may be refused by a switch, by product token. */
export const aiAgents = [
  'GPTBot',
  'OAI-SearchBot',
  'ChatGPT-User',
  'ClaudeBot',
  'Claude-User',
  'PerplexityBot',
  'Google-Extended',
  'Applebot-Extended',
  'Bytespider',
  'CCBot',
  'meta-externalagent',
  'Amazonbot',
] as const;

/** What is wrong with a robots.txt. Those of `robotsToAccept` have to be accepted by name before the file is saved. */
export const robotsProblems = [
  'blocks_all',
  'blocks_visited',
  'blocks_assets',
  'unknown_key',
  'rule_without_group',
  'group_without_rules',
  'path_without_slash',
  'relative_sitemap',
  'missing_colon',
  'too_large',
] as const;
export type RobotsProblemCode = (typeof robotsProblems)[number];
export const robotsToAccept = ['blocks_all', 'blocks_visited'] as const satisfies readonly RobotsProblemCode[];
/** Why nobody may crawl a site, whatever its robots.txt says. */
export const robotsClosures = ['elsewhere', 'not_released', 'site', 'settings'] as const;
/** Crawlers whose rules are compared when nobody names one; `*`: all that have no group of their own. */
export const searchCrawlers = ['*', 'Googlebot', 'bingbot', 'Baiduspider', '360Spider', 'Sogou web spider', 'YisouSpider', 'YandexBot'] as const;

export const seoLimits = {
  /** Characters of robots.txt; the program adds lines, and crawlers read 500 KiB. */
  robots: 490 * 1024,
  template: 300,
  /** Characters of the texts of one page. */
  title: 200,
  description: 500,
  /** Pages that are changed at once. */
  changed: 500,
  overrides: 10_000,
  /** Pages that are checked: lists and templates, and the newest records of each collection. */
  pages: 2000,
  /** Pages that a setting offers to choose from. */
  livePages: 500,
  patterns: 100,
  /** Known addresses that a what-if compares, and those that it lists. */
  whatIf: 50_000,
  whatIfExamples: 200,
  /** Days of visits and requests that tell which addresses are in use. */
  knownDays: 90,
  /** Paths without a page that are remembered. */
  notFound: 20_000,
  verifications: 30,
  llms: 100_000,
  /** Addresses of one flat sitemap, and its bytes (Baidu takes no index). */
  flatAddresses: 50_000,
  flatBytes: 10_000_000,
  /** Addresses of one call of IndexNow. */
  pushBatch: 10_000,
  /** Addresses of one call of Baidu. */
  baiduBatch: 2000,
  /** Minutes without another change before a page is pushed. */
  pushDelay: 10,
  /** Minutes that a page waits at most while changes go on. */
  pushLongestDelay: 60,
} as const;
