import { gunzipSync } from 'node:zlib';
import { activeRules } from '../../../../contract/crawler/rules';
import { crawlLimits } from '../../../../contract/crawler/terms';
import { folderStore } from '../../../stores/files/folder';
import { pageFindings } from '../rules/pages';
import { storeBodies } from './bodies';
import { createCrawl } from './crawl';
import type { Crawl } from './crawl';
import { isCheck } from './crawlState';
import type { PageAudit } from './crawlState';
import { extractRows } from './extract';
import { LinkGraph } from './linkGraph';
import { renderPage } from './render/onePage';
import type { Batch, CrawlStart, FromCrawl, StoredEntry, ToCrawl } from './protocol';
import { createReader } from './reader';
import type { Reader } from './reader';

/** Entry of the process of one crawl. It has no access to the databases: it sends batches to the program, which writes them. */
const send = (message: FromCrawl): void => void process.send?.(message);

const written = new Map<number, () => void>();
const bodies = new Map<string, ((body: Buffer | null) => void)[]>();
let crawl: Crawl | null = null;
/** Instead of a crawl, if the process helps with one. */
let reader: Reader | null = null;
/** When the pages are read. */
let graph: LinkGraph | null = null;

const body = (sha: string): Promise<Buffer | null> =>
  new Promise((resolve) => {
    bodies.set(sha, [...(bodies.get(sha) ?? []), resolve]);
    send({ type: 'body', sha });
  });

function auditOf({ config }: CrawlStart): PageAudit {
  const rules = activeRules(config.audit);
  return (page, facts, links) => pageFindings(page, facts, links, rules);
}

const bodiesAtOnce = 8;
/** Writes the bodies of a batch if they go into a folder: at the low priority of this process, and without a copy for the program. */
async function withStoredBodies({ folder, siteId }: CrawlStart, batch: Batch): Promise<Batch> {
  if (folder === null) return batch;
  await storeBodies({ files: folderStore(folder) }, siteId, batch.bodies, bodiesAtOnce);
  return { ...batch, bodies: [] };
}

function begin(start: CrawlStart): void {
  crawl = createCrawl(start, auditOf(start), {
    async write(batch) {
      const stored = await withStoredBodies(start, batch);
      return new Promise((resolve) => {
        written.set(batch.number, resolve);
        send({ type: 'batch', batch: stored });
      });
    },
    body,
    lend: (id, batch) => send({ type: 'lend', id, batch }),
    recall: (ids) => send({ type: 'recall', ids }),
    now: Date.now,
    random: Math.random,
  });
  for (const { failures, ...copy } of start.robots) crawl.restoreRobots(copy, failures);
}

function helpWith(start: CrawlStart): Reader {
  const created = createReader(start, auditOf(start), { body, now: Date.now });
  return {
    ...created,
    async read(lent) {
      const { batch, result } = await created.read(lent);
      return { batch: await withStoredBodies(start, batch), result };
    },
  };
}

/** Puts the journal back: everything counts as met, and what waits is requested. */
function restore(entries: readonly StoredEntry[]): void {
  if (crawl === null) return;
  const { state } = crawl;
  for (const { state: stored, ...entry } of entries) {
    state.queued.add(entry.id);
    state.written.add(entry.id);
    // A seed led to another host of its domain.
    if (entry.hops > 0 && entry.depth === 0 && entry.source === 'redirect') state.scope.addHost(entry.url);
    if (stored !== 0) continue;
    if (!isCheck(entry)) state.families.wait(state.families.of(entry.url), 1);
    state.frontier.push({ ...entry, late: 0 });
  }
}

function receive(message: ToCrawl): void {
  switch (message.type) {
    case 'start':
      return begin(message.start);
    case 'frontier':
      return restore(message.entries);
    case 'base':
      for (const page of message.pages) crawl?.state.base.set(page.id, page);
      return;
    case 'go':
      void crawl?.run().then((end) => send({ type: 'end', end }), fail);
      return;
    case 'help':
      reader = helpWith(message.start);
      return;
    case 'read':
      return void reader?.read(message.batch).then((read) => send({ type: 'read', ...read }), fail);
    case 'render':
      return void renderPage(message.start, message.response, message.usualCharset).then((page) => send({ type: 'rendered', page }), fail);
    case 'extract':
      return send({ type: 'extracted', rows: extractRows(message.page, message.extraction) });
    case 'offers':
      return crawl?.lending.offer(message.helpers, message.ids);
    case 'returned':
      return crawl?.lending.returned(message.id, message.result);
    case 'lost':
      return crawl?.lending.lost(message.id);
    case 'written':
      written.get(message.number)?.();
      return void written.delete(message.number);
    case 'body': {
      let stored: Buffer | null = null;
      try {
        stored = message.gzip === null ? null : gunzipSync(message.gzip, { maxOutputLength: crawlLimits.decodedBytes });
      } catch {
        // A stored body that cannot be read is requested anew.
      }
      for (const resolve of bodies.get(message.sha) ?? []) resolve(stored);
      return void bodies.delete(message.sha);
    }
    case 'family':
      return crawl?.decideFamily(message.host, message.family, message.state);
    case 'pace':
      reader?.setPace(message.perSecond);
      return crawl?.state.spacing.set(message.perSecond);
    case 'end':
      reader?.end();
      return crawl?.end();
    case 'graph':
      graph = new LinkGraph(message.ids, message.starts);
      return;
    case 'edges':
      return graph?.add(message.rows);
    case 'rank':
      if (graph !== null) send({ type: 'ranked', ...graph.rank() });
      graph = null;
      return;
    case 'depths':
      if (graph !== null) send({ type: 'depths', depths: graph.crawlDepths() });
      graph = null;
  }
}

function fail(error: unknown): void {
  send({ type: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  process.exitCode = 1;
  process.disconnect();
}

process.on('message', receive);
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);
// The program is gone: what was not written is requested again by the next process.
process.on('disconnect', () => process.exit());
send({ type: 'ready' });
setInterval(() => send({ type: 'alive' }), 5000);
