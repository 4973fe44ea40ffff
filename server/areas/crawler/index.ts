import type { Area } from '../area';
import { crawlerSchedules, crawlerWorker, eraseCrawls } from './engine';
import { auditJob } from './rules';

/** Crawlers of a site. */
export const area: Area = {
  register: () => undefined,
  jobs: [auditJob],
  schedules: [...crawlerSchedules],
  services: [crawlerWorker],
  siteTopics: [{ kind: 'crawl', action: 'crawler.read', events: ['crawl'] }],
  eraseSite: eraseCrawls,
};
