import { defaultConfig } from '../../contract/crawler/config';
import { activeRules } from '../../contract/crawler/rules';
import { createCrawl } from '../../server/areas/crawler/engine/crawl';
import { pageFindings } from '../../server/areas/crawler/rules/pages';
import { freshRun } from '../../server/areas/crawler/engine/protocol';

/** One crawl in this process, with all rules of pages; batches are built and thrown away. Arguments: address, pages. Prints what it cost. */
const [, , origin = '', pages = ''] = process.argv;
const usual = defaultConfig([`${origin}/`]);
const config = {
  ...usual,
  limits: { pages: Number(pages), megabytes: 1_000_000, minutes: 600, familyPercent: 100 },
  politeness: { connections: 32, requestsPerSecond: 100_000, obeyRobots: true },
  fetch: { ...usual.fetch, resources: false },
};
const rules = activeRules(config.audit);
const started = performance.now();
const crawl = createCrawl(
  {
    siteId: 'bench',
    runId: '00000000-0000-4000-8000-000000000000',
    config,
    verified: true,
    allowNear: true,
    ownOrigins: [],
    folder: null,
    chromium: null,
    headers: {},
    ...freshRun,
  },
  (page, facts, links) => pageFindings(page, facts, links, rules),
  { write: () => Promise.resolve(), body: () => Promise.resolve(null), now: Date.now, random: Math.random },
);
await crawl.run();
const { user, system } = process.cpuUsage();
const { counters } = crawl.state;
console.log(
  JSON.stringify({
    pages: counters.pages,
    seconds: (performance.now() - started) / 1000,
    cpu: (user + system) / 1e6,
    rss: process.resourceUsage().maxRSS / 1024,
  }),
);
