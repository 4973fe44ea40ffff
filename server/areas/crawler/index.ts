import type { Area } from '../area';
import { crawlerSchedules, crawlerWorker } from './engine';
import { registerInventory } from './inventory';
import { applyFindings, auditJob, auditRun } from './rules';
import type { Finding } from './rules';
import { erasePerson, exportPerson, registerRuns, rowsJob, runSchedules, siteOf } from './runs';
import { openHeaders } from './secrets';

export { openIssuesOfPage, searchHealth } from './inventory';
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

/** Crawlers of a site. */
export const area: Area = {
  register: (app, ctx) => {
    registerRuns(app, ctx);
    registerInventory(app, ctx);
  },
  jobs: [rowsJob, auditJob],
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
