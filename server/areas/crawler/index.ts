import type { Area } from '../area';
import { crawlerSchedules, crawlerWorker, eraseCrawls } from './engine';
import { erasePerson, exportPerson, registerRuns, rowsJob, runSchedules, siteOf } from './runs';

/** Crawlers of a site. */
export const area: Area = {
  register: registerRuns,
  jobs: [rowsJob],
  schedules: [...crawlerSchedules, ...runSchedules],
  services: [crawlerWorker],
  siteTopics: [{ kind: 'crawl', action: 'crawler.read', events: ['crawl'] }],
  siteOf,
  eraseSite: eraseCrawls,
  erasePerson,
  exportPerson,
};
