/** What the engine shows to the other parts of the area, and to areas that crawl (`server/areas/crawler/index.ts`). */
export { urlId } from './urlId';
export { storable } from './batch';
export { normalizeUrl } from './normalize';
export { compileUrlPattern, createScope } from './scope';
export { extractionProblem, extractRows } from './extract';
export { identityOf } from './fetch';
export { factsOfHeaders, indexReasonOf, isHtml, mimeOf, unitsOf } from './pageRow';
export { parsePage } from './parse';
export { fetchOnce, fetchPage, probe } from './probe';
export { isVerified } from './ownership';
export { enqueueRun, pauseRun, resumeRun, setFamily, stopRun } from './runs';
export type { RunRow } from './runs';
export { readBody } from './bodies';
export { eraseLinks, storeAddresses } from './journal';
export { writeWarc } from './warc';
export { crawlerSchedules, crawlerWorker } from './job';
export type { CrawlAudit } from './job';
export type * from './terms';
