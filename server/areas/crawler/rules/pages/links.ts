import { getDomain } from 'tldts';
import type { PageRuleGroup } from './group';

const local =
  /^(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|10\.\d+\.\d+\.\d+|192\.168\.\d+\.\d+|172\.(?:1[6-9]|2\d|3[01])\.\d+\.\d+|169\.254\.\d+\.\d+|\[(?:::1|f[cd][0-9a-f:]*|fe80[0-9a-f:]*)\])$/;
const localNames = /\.(?:localhost|local|internal|intranet|lan|test)$/;
const staging = /^(?:staging|stage|stg|uat|preprod|preview|dev|test)\d*[.-]/;

/** Whether an address works on machines of the makers alone. Prefixes such as `dev.` tell that of hosts of the same domain only. */
function isLocal(host: string, domain: string | null): boolean {
  return local.test(host) || localNames.test(host) || (domain !== null && staging.test(host) && getDomain(host) === domain);
}

export const linkRules: PageRuleGroup = ({ page, facts, links, rules, address, isPage, isListed, report }) => {
  if (!isPage) return;
  const domain = getDomain(address.hostname);
  const own = `${address.origin}/`;
  let empty = 0;
  let firstEmpty = '';
  let toLocal = 0;
  let firstLocal = '';
  for (const link of links) {
    if (link.kind === 'a' && link.anchor.trim() === '') {
      empty += 1;
      firstEmpty ||= link.url;
    }
    if (link.url.startsWith(own)) continue;
    const host = /^https?:\/\/(\[[^\]]*\]|[^/:?#]*)/i.exec(link.url)?.[1]?.toLowerCase() ?? '';
    if (host !== '' && host !== address.hostname && isLocal(host, domain)) {
      toLocal += 1;
      firstLocal ||= link.url;
    }
  }
  if (empty > 0) report('link_empty', { count: empty, url: firstEmpty });
  if (toLocal > 0) report('link_local', { count: toLocal, url: firstLocal });

  const count = facts.counts.internalLinks + facts.counts.externalLinks;
  const most = rules.parameter('link_many', 'links');
  if (count > most) report('link_many', { count, limit: most });
  if (!isListed) return;
  if (count === 0) report('link_dead_end');
  const clicks = rules.parameter('link_depth', 'clicks');
  if (page.depth !== null && page.depth > clicks) report('link_depth', { depth: page.depth, limit: clicks });
};
