import type { SiteFigures } from '../../../contract/sites/list';
import type { Context } from '../../context';
import type { Area, FiguredSite } from '../area';
import { crawlerSchedules, crawlerWorker } from './engine';
import { registerInventory } from './inventory';
import { applyFindings, auditJob, auditRun, recheckJob } from './rules';
import type { Finding } from './rules';
import { erasePerson, exportPerson, issuesBySite, registerRuns, rowsJob, runSchedules, siteOf } from './runs';
import { openHeaders } from './secrets';

export { issuesOfAddresses, openIssuesOfPage, searchHealth } from './inventory';
export { recheckRedirects } from './rules';
export { installCrawler } from './runs';
// For areas that read websites themselves.
export {
  createFetcher,
  createGovernor,
  createScope,
  decode,
  defaultUserAgent,
  loadRobots,
  normalizeUrl,
  readSitemaps,
  retryAfterMs,
  splitUrl,
  tokenOfAgent,
} from './engine';
export type { Fetched } from './engine';

/** Figures of the list of sites: open issues of their crawlers. */
async function siteFigures(ctx: Context, sites: readonly FiguredSite[]): Promise<ReadonlyMap<string, Pick<SiteFigures, 'issues'>>> {
  const found = await issuesBySite(
    ctx.postgres.db,
    sites.map(({ id }) => id),
  );
  return new Map(found.map(({ siteId, errors, warnings }) => [siteId, { issues: { errors, warnings } }]));
}

/** Crawlers of a site. */
export const area: Area = {
  register: (app, ctx) => {
    registerRuns(app, ctx);
    registerInventory(app, ctx);
  },
  siteFigures: { source: 'crawl', action: 'crawler.read', token: 'crawler:read', read: siteFigures },
  jobs: [rowsJob, auditJob, recheckJob],
  schedules: [...crawlerSchedules, ...runSchedules],
  services: [
    crawlerWorker({
      // The process of a crawl evaluates the same rules, so its findings have their ids.
      applyFindings: (tx, run, findings, now) => applyFindings(tx, run, findings as readonly Finding[], now),
      auditRun,
      openHeaders,
    }),
  ],
  siteTopics: [{ kind: 'crawl', action: 'crawler.read', events: ['crawl'] }],
  siteOf,
  erasePerson,
  exportPerson,
};
