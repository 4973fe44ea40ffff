import type { Area } from '../area';
import { crawlerSchedules, crawlerWorker, eraseCrawls } from './engine';
import { registerInventory } from './inventory';
import { auditJob } from './rules';
import { erasePerson, exportPerson, registerRuns, rowsJob, runSchedules, siteOf } from './runs';

export { searchHealth } from './inventory';
export type { SearchHealth } from './inventory';

/** Crawlers of a site. */
export const area: Area = {
  register: (app, ctx) => {
    registerRuns(app, ctx);
    registerInventory(app, ctx);
  },
  jobs: [rowsJob, auditJob],
  schedules: [...crawlerSchedules, ...runSchedules],
  services: [crawlerWorker],
  siteTopics: [{ kind: 'crawl', action: 'crawler.read', events: ['crawl'] }],
  siteOf,
  eraseSite: eraseCrawls,
  erasePerson,
  exportPerson,
};
