import type { Area } from '../area';
import { crawlerSchedules, crawlerWorker, eraseCrawls } from './engine';
import { registerInventory } from './inventory';
import { findCrawler, findRun } from './runs/queries';

export { searchHealth } from './inventory';
export type { SearchHealth } from './inventory';

/** Crawlers of a site. */
export const area: Area = {
  register: registerInventory,
  siteOf: {
    crawler: async (ctx, id) => (await findCrawler(ctx.postgres.db, id))?.siteId ?? null,
    crawlRun: async (ctx, id) => (await findRun(ctx.postgres.db, id))?.siteId ?? null,
  },
  schedules: [...crawlerSchedules],
  services: [crawlerWorker],
  siteTopics: [{ kind: 'crawl', action: 'crawler.read', events: ['crawl'] }],
  eraseSite: eraseCrawls,
};
