import type { CrawlerConfig } from './config';
import type { Severity } from './terms';

/**
 * The rules of an audit: ids, default severities and parameters. Texts are in `src/features/crawler/rules`, the rules themselves in `server/areas/crawler/rules`.
 *
 * page  a finding belongs to an address
 * site  a finding belongs to a host, or to an address in comparison with others
 */
export const ruleGroups = [
  'http',
  'redirects',
  'links',
  'indexing',
  'canonicals',
  'sitemaps',
  'titles',
  'content',
  'languages',
  'images',
  'structuredData',
  'social',
  'security',
  'addresses',
  'mobile',
  'dom',
  'accessibility',
  'traps',
  'vitals',
  'agents',
  'changes',
] as const;
export type RuleGroup = (typeof ruleGroups)[number];

/** What a rule needs besides the pages of a run; without it, the rule finds nothing. */
type RuleNeed = 'analytics' | 'vitals' | 'runs' | 'observations';
type Parameter = { readonly default: number; readonly min: number; readonly max: number };
export type RuleDefinition = {
  readonly group: RuleGroup;
  readonly severity: Severity;
  readonly scope: 'page' | 'site';
  readonly parameters?: Readonly<Record<string, Parameter>>;
  readonly needs?: readonly RuleNeed[];
};

const page = (group: RuleGroup, severity: Severity, parameters: Readonly<Record<string, Parameter>> = {}, needs: readonly RuleNeed[] = []) =>
  ({ group, severity, scope: 'page', parameters, needs }) as const;
const site = (group: RuleGroup, severity: Severity, parameters: Readonly<Record<string, Parameter>> = {}, needs: readonly RuleNeed[] = []) =>
  ({ group, severity, scope: 'site', parameters, needs }) as const;
const number = (standard: number, min: number, max: number): Parameter => ({ default: standard, min, max });

export const rules = {
  http_client_error: page('http', 'error'),
  http_server_error: page('http', 'error'),
  http_timeout: page('http', 'error'),
  http_too_large: page('http', 'warning'),
  http_soft_404: page('http', 'warning', { distance: number(3, 0, 10) }, ['observations']),
  http_content_type: page('http', 'warning'),
  http_slow: page('http', 'warning', { milliseconds: number(800, 100, 30_000) }),
  http_uncompressed: page('http', 'notice', { bytes: number(1400, 200, 1_000_000) }),
  http_no_cache: page('http', 'notice'),

  redirect_chain: page('redirects', 'warning', { hops: number(1, 1, 10) }),
  redirect_loop: page('redirects', 'error'),
  redirect_temporary: page('redirects', 'notice', { runs: number(3, 2, 20) }, ['runs']),
  redirect_insecure: site('redirects', 'error', {}, ['observations']),
  redirect_meta: page('redirects', 'warning'),

  link_broken: page('links', 'error'),
  link_external_broken: page('links', 'warning', {}, ['runs']),
  link_redirected: page('links', 'notice'),
  link_fragment: page('links', 'notice'),
  link_nofollow: page('links', 'warning'),
  link_empty: page('links', 'notice'),
  link_local: page('links', 'error'),
  link_orphan: site('links', 'warning'),
  link_dead_end: page('links', 'notice'),
  link_depth: page('links', 'notice', { clicks: number(4, 1, 50) }),
  link_many: page('links', 'notice', { links: number(500, 20, 10_000) }),
  link_weak: site('links', 'notice', { percent: number(5, 1, 50), visits: number(10, 1, 100_000) }, ['analytics']),

  index_noindex: page('indexing', 'notice'),
  index_blocked: page('indexing', 'warning'),
  index_conflict: page('indexing', 'warning'),
  robots_unreachable: site('indexing', 'error'),
  robots_problem: site('indexing', 'warning'),

  canonical_missing: page('canonicals', 'notice'),
  canonical_multiple: page('canonicals', 'warning'),
  canonical_broken: page('canonicals', 'error'),
  canonical_chain: site('canonicals', 'warning'),
  canonical_relative: page('canonicals', 'notice'),

  sitemap_missing: site('sitemaps', 'warning', {}, ['observations']),
  sitemap_wrong_pages: site('sitemaps', 'warning'),
  sitemap_invalid: site('sitemaps', 'error', {}, ['observations']),
  sitemap_baidu: site('sitemaps', 'notice', { megabytes: number(10, 1, 50) }, ['observations']),
  sitemap_lastmod: site('sitemaps', 'notice', { percent: number(20, 1, 100) }, ['observations', 'runs']),

  title_missing: page('titles', 'error'),
  title_duplicate: site('titles', 'warning'),
  title_length: page('titles', 'notice', { minPixels: number(200, 0, 600), maxPixels: number(600, 200, 2000) }),
  title_multiple: page('titles', 'warning'),
  description_missing: page('titles', 'warning'),
  description_duplicate: site('titles', 'notice'),
  description_length: page('titles', 'notice', { minPixels: number(400, 0, 900), maxPixels: number(960, 400, 3000) }),
  heading_missing: page('titles', 'warning'),
  heading_multiple: page('titles', 'notice'),
  heading_order: page('titles', 'notice'),

  content_thin: page('content', 'warning', { units: number(200, 20, 5000) }),
  content_duplicate: site('content', 'warning'),
  content_similar: site('content', 'notice', { distance: number(3, 0, 10), units: number(100, 20, 5000) }),
  content_mojibake: page('content', 'error'),
  content_charset: page('content', 'warning'),
  content_needs_scripts: page('content', 'warning'),

  language_missing: page('languages', 'warning'),
  language_wrong: page('languages', 'warning'),
  hreflang_no_return: site('languages', 'warning'),
  hreflang_bad: page('languages', 'warning'),
  hreflang_no_self: page('languages', 'notice'),
  hreflang_no_default: page('languages', 'notice'),

  image_alt: page('images', 'warning'),
  image_large: page('images', 'warning', { kilobytes: number(500, 20, 20_000) }),
  image_broken: page('images', 'error'),
  image_dimensions: page('images', 'notice'),
  image_format: page('images', 'notice', { kilobytes: number(100, 10, 20_000) }),
  image_lazy: page('images', 'warning'),

  structured_data_invalid: page('structuredData', 'error'),
  structured_data_incomplete: page('structuredData', 'warning'),
  structured_data_noindex: page('structuredData', 'notice'),

  social_title: page('social', 'notice'),
  social_image: page('social', 'notice', { width: number(600, 100, 4000) }),

  security_mixed: page('security', 'error'),
  security_form: page('security', 'error'),
  security_hsts: site('security', 'notice'),
  security_csp: site('security', 'notice'),
  security_nosniff: site('security', 'notice'),
  security_frame: site('security', 'notice'),
  security_referrer: site('security', 'notice'),
  security_certificate: site('security', 'error', { days: number(14, 1, 90) }, ['observations']),
  security_cookie: site('security', 'warning'),
  security_leak: page('security', 'error'),

  url_long: page('addresses', 'notice', { characters: number(115, 40, 2000) }),
  url_case: page('addresses', 'notice'),
  url_underscore: page('addresses', 'notice'),
  url_parameters: page('addresses', 'notice', { parameters: number(3, 0, 8) }),
  url_slashes: page('addresses', 'notice'),
  url_space: page('addresses', 'notice'),

  mobile_viewport: page('mobile', 'warning'),

  dom_large: page('dom', 'notice', { elements: number(1500, 100, 100_000), depth: number(32, 8, 500) }),
  dom_duplicate_id: page('dom', 'notice'),
  dom_meta_in_body: page('dom', 'notice'),

  accessibility_label: page('accessibility', 'warning'),
  accessibility_name: page('accessibility', 'warning'),
  accessibility_landmark: page('accessibility', 'notice'),

  trap_family: site('traps', 'warning'),
  vitals_poor: site('vitals', 'warning', { samples: number(75, 10, 10_000) }, ['vitals']),
  agents_llms: site('agents', 'notice', {}, ['observations']),
  agents_bots: site('agents', 'notice', {}, ['analytics']),

  change_title: site('changes', 'notice', {}, ['runs']),
  change_indexing: site('changes', 'warning', {}, ['runs']),
  change_gone: site('changes', 'warning', {}, ['runs']),
} as const satisfies Record<string, RuleDefinition>;

export type RuleId = keyof typeof rules;
export const ruleIds = Object.keys(rules) as RuleId[];
export const isRuleId = (id: string): id is RuleId => Object.hasOwn(rules, id);
export const ruleOf = (id: RuleId): RuleDefinition => rules[id];

/** The rules as a crawler configures them. */
export type ActiveRules = {
  /** `usual`: unless the crawler sets another one; default: that of the rule. */
  readonly severity: (id: RuleId, usual?: Severity) => Severity;
  readonly isEnabled: (id: RuleId) => boolean;
  /** Within the bounds of the parameter. */
  readonly parameter: (id: RuleId, name: string) => number;
};

export function activeRules(audit: CrawlerConfig['audit']): ActiveRules {
  const configured = new Map(Object.entries(audit.rules));
  return {
    severity: (id, usual) => configured.get(id)?.severity ?? usual ?? rules[id].severity,
    isEnabled: (id) => configured.get(id)?.enabled ?? true,
    parameter: (id, name) => {
      const definition = ruleOf(id).parameters?.[name];
      if (!definition) throw new Error(`The rule ${id} has no parameter ${name}`);
      return Math.min(definition.max, Math.max(definition.min, configured.get(id)?.parameters?.[name] ?? definition.default));
    },
  };
}

/** Points that a rule costs when it hits every indexable page. */
export const severityWeights: Readonly<Record<Severity, number>> = { error: 10, warning: 3, notice: 0.5 };
