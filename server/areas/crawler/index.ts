import type { Area } from '../area';
import { crawlerSchedules, crawlerWorker, eraseCrawls } from './engine';
import { auditJob } from './rules';
import { erasePerson, exportPerson, registerRuns, rowsJob, runSchedules, siteOf } from './runs';

/** Crawlers of a site. */
export const area: Area = {
  register: registerRuns,
  jobs: [rowsJob, auditJob],
  schedules: [...crawlerSchedules, ...runSchedules],
  services: [crawlerWorker],
  siteTopics: [{ kind: 'crawl', action: 'crawler.read', events: ['crawl'] }],
  siteOf,
  eraseSite: eraseCrawls,
  erasePerson,
  exportPerson,
};
