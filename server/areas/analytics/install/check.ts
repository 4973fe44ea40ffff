import type { Site } from '../../../../contract/sites/schemas';
import type { z } from 'zod';
import type { InstallCheck, installFindings } from '../../../../contract/analytics/schemas';
import { parseUrl } from '../../../../contract/parseUrl';
import { ConnectRefused } from '../../../net/publicAddress';
import { allowsConnect, allowsScript, parsePolicies } from './csp';
import type { Page } from './fetchPage';
import { findScripts, metaPolicies } from './tags';

type Finding = z.infer<typeof InstallCheck>['findings'][number];
type Code = (typeof installFindings)[number];
const good = (code: Code, detail = ''): Finding => ({ code, level: 'good', detail });
const warning = (code: Code, detail = ''): Finding => ({ code, level: 'warning', detail });
const bad = (code: Code, detail = ''): Finding => ({ code, level: 'bad', detail });

/** The element to paste before </head>. On a site without ids it tells the script to store nothing. */
export const tagFor = (publicUrl: string, siteId: string, identity: Site['identity'] = 'first_party', gpc: string = 'cookieless'): string =>
  `<script defer src="${publicUrl}/t.js" data-site="${siteId}"${identity === 'cookieless' ? ' data-cookieless' : gpc === 'ignore' ? ' data-no-gpc' : ''}></script>`;

/** What the server has received from the site so far. */
export type InstallSigns = {
  readonly hits: boolean;
  readonly scriptLoads: number;
  readonly refusals: readonly { readonly code: string; readonly count: number }[];
};

const bare = (host: string): string => host.toLowerCase().replace(/^www\./, '');
export const sameHost = (a: URL, b: URL): boolean => bare(a.hostname) === bare(b.hostname) && a.port === b.port;

/** Findings about the tag of `siteId` on a page. `requestedUrl`: the URL that was to be checked. */
export function pageFindings(page: Page, requestedUrl: URL, siteId: string): Finding[] {
  const findings: Finding[] = [];
  if (bare(page.url.hostname) !== bare(requestedUrl.hostname)) findings.push(warning('redirects_elsewhere', page.url.host));
  if (page.status < 200 || page.status >= 300) findings.push(bad('bad_status', String(page.status)));
  const type = page.headers['content-type'] ?? '';
  if (!/^\s*(text\/html|application\/xhtml\+xml)/i.test(type)) return [...findings, bad('not_html', type.slice(0, 100))];

  const scripts = findScripts(page.text);
  const own = scripts.filter((script) => script.site === siteId);
  const [tag] = own;
  if (!tag) {
    const other = scripts.find((script) => script.site !== '');
    return [...findings, other ? bad('wrong_site_id', other.site) : bad('tag_missing')];
  }
  findings.push(good('tag_found', tag.src.slice(0, 300)));
  if (own.length > 1) findings.push(warning('tag_twice', String(own.length)));
  const url = parseUrl(tag.src, page.url);
  if (url === null) return findings;
  if (page.url.protocol === 'https:' && url.protocol === 'http:' && !/^(localhost|127\.|\[::1\])/.test(url.hostname))
    findings.push(bad('mixed_content', url.href.slice(0, 300)));
  const policies = parsePolicies([...page.policies, ...metaPolicies(page.text)]);
  if (!allowsScript(policies, page.url, { url, nonce: tag.nonce, integrity: tag.integrity })) findings.push(bad('csp_blocks_script', url.origin));
  // Hits are sent to `collect` next to the script.
  const collect = new URL('collect', url);
  if (!allowsConnect(policies, page.url, collect)) findings.push(bad('csp_blocks_connect', collect.origin));
  return findings;
}

/** Findings about hits and script requests that arrived or are missing although a tag is present. */
export function arrivalFindings(signs: InstallSigns, tagFound: boolean): Finding[] {
  const findings: Finding[] = [];
  const refused = signs.refusals.filter((refusal) => refusal.count > 0);
  if (refused.length > 0) findings.push((signs.hits ? warning : bad)('hits_refused', [...new Set(refused.map((refusal) => refusal.code))].join(', ')));
  if (signs.hits) return findings;
  if (signs.scriptLoads > 0) findings.push(warning('script_loaded_no_hit', String(signs.scriptLoads)));
  else if (tagFound) findings.push(warning('script_not_loaded'));
  return findings;
}

export type InstallCheckRequest = {
  readonly siteId: string;
  readonly url: URL | null;
  readonly signs: InstallSigns;
  readonly now: number;
  readonly fetch: (url: URL) => Promise<Page>;
};

/** Fetches the page and collects all findings, the most severe first. */
export async function checkInstall({ siteId, url, signs, now, fetch }: InstallCheckRequest): Promise<InstallCheck> {
  let findings: Finding[];
  if (url === null) findings = [warning('no_url'), ...arrivalFindings(signs, false)];
  else {
    try {
      const found = pageFindings(await fetch(url), url, siteId);
      findings = [
        ...found,
        ...arrivalFindings(
          signs,
          found.some((finding) => finding.code === 'tag_found'),
        ),
      ];
    } catch (error) {
      if (!(error instanceof ConnectRefused)) throw error;
      findings = [bad(error.code, error.detail), ...arrivalFindings(signs, false)];
    }
  }
  const order = { bad: 0, warning: 1, good: 2 };
  return { url: url?.href ?? null, at: now, findings: findings.sort((a, b) => order[a.level] - order[b.level]) };
}
