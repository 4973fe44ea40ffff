import type { RuleId } from '../../../../../contract/crawler/rules';
import { parseRobots, robotsVerdict } from '../../../../../contract/seo/robots';
import { aiAgents } from '../../../../../contract/seo/terms';
import { DAY } from '../../../../zone';
import type { Finding } from '../finding';
import { finding, isPage, rowsOf } from './audit';
import type { SiteAudit, SiteRuleGroup } from './audit';

type Headers = { readonly origin: string; readonly pages: string } & Readonly<Record<'hsts' | 'csp' | 'nosniff' | 'frame' | 'referrer', string>>;
const headerRules: readonly (readonly [RuleId, keyof Omit<Headers, 'origin' | 'pages'>])[] = [
  ['security_hsts', 'hsts'],
  ['security_csp', 'csp'],
  ['security_nosniff', 'nosniff'],
  ['security_frame', 'frame'],
  ['security_referrer', 'referrer'],
];

/** Missing headers, once per host: pages of a host get them from one place. */
async function* headers(audit: SiteAudit): AsyncIterable<Finding> {
  const rows = await rowsOf<Headers>(
    audit,
    `SELECT substring(u.url from '^https?://[^/]*') AS origin, count(*) AS pages,
       count(*) FILTER (WHERE u.url LIKE 'https:%' AND h->>'strict-transport-security' IS NULL) AS hsts,
       count(*) FILTER (WHERE h->>'content-security-policy' IS NULL) AS csp,
       count(*) FILTER (WHERE lower(coalesce(h->>'x-content-type-options', '')) <> 'nosniff') AS nosniff,
       count(*) FILTER (WHERE h->>'x-frame-options' IS NULL AND coalesce(h->>'content-security-policy', '') NOT ILIKE '%frame-ancestors%') AS frame,
       count(*) FILTER (WHERE h->>'referrer-policy' IS NULL) AS referrer
     FROM crawl_pages p JOIN crawl_urls u ON u.site_id = $2 AND u.id = p.url_id CROSS JOIN LATERAL (SELECT p.facts->'headers' AS h) x
     WHERE p.run_id = $1 AND ${isPage} GROUP BY 1`,
  );
  for (const row of rows)
    for (const [rule, column] of headerRules) {
      const count = Number(row[column]);
      if (count > 0) yield finding(audit, rule, null, { origin: row.origin, count, pages: Number(row.pages) }, { subject: row.origin });
    }
}

async function* cookies(audit: SiteAudit): AsyncIterable<Finding> {
  const rows = await rowsOf<{ origin: string; name: string; secure: boolean; http_only: boolean; same_site: boolean }>(
    audit,
    `SELECT substring(u.url from '^https?://[^/]*') AS origin, c->>'name' AS name,
       bool_and((c->>'secure')::boolean OR u.url LIKE 'http:%') AS secure, bool_and((c->>'httpOnly')::boolean) AS http_only, bool_and(c->>'sameSite' IS NOT NULL) AS same_site
     FROM crawl_pages p JOIN crawl_urls u ON u.site_id = $2 AND u.id = p.url_id CROSS JOIN LATERAL jsonb_array_elements(p.facts->'cookies') AS c
     WHERE p.run_id = $1 AND p.internal AND c->>'name' ~* '(sess|sid$|auth|login|jwt|token|remember)' AND c->>'name' !~* '(csrf|xsrf)' GROUP BY 1, 2`,
  );
  for (const { origin, name, secure, http_only: httpOnly, same_site: sameSite } of rows) {
    const lacking = [secure ? '' : 'Secure', httpOnly ? '' : 'HttpOnly', sameSite ? '' : 'SameSite'].filter((one) => one !== '').join(', ');
    if (lacking !== '') yield finding(audit, 'security_cookie', null, { origin, name, attributes: lacking }, { subject: `${origin} ${name}` });
  }
}

const oldProtocols: ReadonlySet<string> = new Set(['SSLv3', 'TLSv1', 'TLSv1.1']);

async function* observed(audit: SiteAudit): AsyncIterable<Finding> {
  const secure = new Set(
    (
      await rowsOf<{ host: string }>(
        audit,
        `SELECT DISTINCT split_part(u.url, '/', 3) AS host FROM crawl_pages p JOIN crawl_urls u ON u.site_id = $2 AND u.id = p.url_id WHERE p.run_id = $1 AND ${isPage} AND u.url LIKE 'https:%'`,
      )
    ).map(({ host }) => host),
  );
  const days = audit.rules.parameter('security_certificate', 'days');
  for (const { host, insecure, certificate, sensitive } of audit.observations.hosts) {
    const options = { subject: host };
    if (insecure && insecure.status > 0 && secure.has(host) && !(insecure.location ?? '').startsWith('https:'))
      yield finding(audit, 'redirect_insecure', null, { host, status: insecure.status }, options);
    if (certificate) {
      const remaining = Math.floor((Date.parse(certificate.validTo) - audit.ctx.now()) / DAY);
      const detail = { host, days: Number.isFinite(remaining) ? remaining : 0 };
      if (certificate.error !== null) yield finding(audit, 'security_certificate', null, { ...detail, kind: 'invalid', value: certificate.error }, options);
      else if (oldProtocols.has(certificate.protocol))
        yield finding(audit, 'security_certificate', null, { ...detail, kind: 'protocol', value: certificate.protocol }, options);
      else if (remaining < days)
        yield finding(audit, 'security_certificate', null, { ...detail, kind: 'expires', value: certificate.validTo.slice(0, 10) }, options);
    }
    for (const { path, kind } of sensitive ?? [])
      yield finding(audit, 'security_leak', null, { kind, excerpt: `${host}${path}` }, { subject: `${host}${path}` });
  }
}

/** What is wrong with an llms.txt by llmstxt.org: Markdown that begins with a heading and links to pages. */
export function llmsProblem({ mime, body }: { readonly mime: string; readonly body: string }): string | null {
  if (/html/.test(mime) || /^\s*<(?:!doctype|html)/i.test(body)) return 'html';
  if (!/^\uFEFF?\s*# \S/.test(body)) return 'heading';
  return /\[[^\]]+\]\(https?:\/\/[^)\s]+\)/.test(body) ? null : 'links';
}

async function* agents(audit: SiteAudit): AsyncIterable<Finding> {
  const robots = await rowsOf<{ origin: string; body: string }>(
    audit,
    `SELECT r.origin, r.body FROM crawl_robots r WHERE r.run_id = $1 AND $2 <> '' AND r.status BETWEEN 200 AND 299`,
  );
  for (const { host, llms } of audit.observations.hosts) {
    if (llms?.status !== 200) continue;
    const problem = llmsProblem(llms);
    if (problem !== null) yield finding(audit, 'agents_llms', null, { host, kind: problem }, { subject: host });
    const own = robots.find(({ origin }) => new URL(origin).host === host);
    const parsed = parseRobots(own?.body ?? '');
    const refused = aiAgents.filter((agent) => !robotsVerdict(parsed, agent, '/llms.txt').allowed || !robotsVerdict(parsed, agent, '/').allowed);
    // Who offers llms.txt wants these programs to read the site.
    if (problem === null && refused.length > 0)
      yield finding(audit, 'agents_bots', null, { host, count: refused.length, names: refused.slice(0, 5).join(', ') }, { subject: host });
  }
}

export const hostGroups: readonly SiteRuleGroup[] = [
  { of: headerRules.map(([rule]) => rule), run: headers },
  { of: ['security_cookie'], run: cookies },
  { of: ['redirect_insecure', 'security_certificate', 'security_leak'], run: observed },
  { of: ['agents_llms', 'agents_bots'], run: agents },
];
