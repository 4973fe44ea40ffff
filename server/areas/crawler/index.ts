import type { Area } from '../area';
import { crawlerSchedules, crawlerWorker, eraseCrawls } from './engine';

/** Crawlers of a site. */
export const area: Area = {
  register: () => undefined,
  schedules: [...crawlerSchedules],
  services: [crawlerWorker],
  siteTopics: [{ kind: 'crawl', action: 'crawler.read', events: ['crawl'] }],
  eraseSite: eraseCrawls,
};
