import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { siteImportLimits as limits } from '../../../contract/siteImport/terms';
import type { ImportSource } from '../../../contract/siteImport/terms';
import type { ImportPlan } from '../../../contract/siteImport/schemas';
import type { Context } from '../../context';
import { Failure } from '../../http/failure';
import { headOf } from '../../stores/files/storedFile';
import { defineJob } from '../../worker';
import type { RunningJob } from '../../worker';
import { planArchive } from './archive/read';
import { openCollector } from './collect';
import { storableJson } from './content/values';
import { sourceFile } from './files';
import { announce } from './live';
import * as queries from './queries';
import type { ImportRow } from './queries';
import { readAddress } from './sources/address';
import type { Frontier } from './sources/address';
import { delimiterIn, readCsv } from './sources/csv';
import { isGhost, readGhost } from './sources/ghost';
import { readMarkdown } from './sources/markdown';
import { readStatic } from './sources/pages';
import { readWordpress } from './sources/wordpress';
import { SourceStop, openArchive } from './zip';
import type { Archive } from './zip';

type Found = { readonly source: ImportSource; readonly plan: ImportPlan };
const parsed = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    throw new SourceStop('damaged');
  }
};
const first = (archive: Archive, pattern: RegExp): string | undefined =>
  archive.names.find((name) => pattern.test(name) && !/(?:^|\/)(?:package(?:-lock)?|tsconfig)\.json$/.test(name));

/** What an archive contains, by the names of its files. */
async function readZip(ctx: Context, archive: Archive, importId: string, job: RunningJob): Promise<Found> {
  const collector = openCollector(ctx, importId);
  const { sink } = collector;
  if (archive.has('site.json') && archive.has('tables.json')) return { source: 'archive', plan: await planArchive(archive) };
  const xml = first(archive, /\.xml$/i);
  const count = (pattern: RegExp): number => archive.names.filter((name) => pattern.test(name)).length;
  const [pages, texts] = [count(/\.html?$/i), count(/\.(?:md|markdown|mdx)$/i)];
  const json = texts === 0 && pages === 0 ? first(archive, /\.json$/i) : undefined;
  if (json !== undefined) {
    const document = parsed(await archive.read(json, limits.documentBytes));
    if (isGhost(document)) {
      await readGhost(document, true, sink);
      return { source: 'ghost', plan: await collector.finish() };
    }
  }
  if (texts > 0 && texts >= pages) {
    await readMarkdown(archive, sink, job.progress);
    return { source: 'markdown', plan: await collector.finish() };
  }
  if (pages > 0) {
    await readStatic(archive, sink, job.progress);
    return { source: 'static', plan: await collector.finish() };
  }
  if (xml !== undefined) {
    const files = await readWordpress(await archive.stream(xml), false, sink, (done) => job.progress(done, null));
    return { source: 'wordpress', plan: await collector.finish(files) };
  }
  throw new SourceStop('not_recognised');
}

/** What an uploaded file is, by its content, and what it contains. */
async function readFile(ctx: Context, row: ImportRow, job: RunningJob): Promise<Found> {
  const file = sourceFile(ctx, row.id);
  const head = await headOf(file, 4096);
  if (head.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004') {
    const archive = await openArchive(file);
    try {
      return await readZip(ctx, archive, row.id, job);
    } finally {
      archive.close();
    }
  }
  const collector = openCollector(ctx, row.id);
  const { sink } = collector;
  const isPacked = head[0] === 0x1f && head[1] === 0x8b;
  const text = head
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (isPacked || text.startsWith('<')) {
    const files = await readWordpress(file.read(), isPacked, sink, (done) => job.progress(done, null));
    return { source: 'wordpress', plan: await collector.finish(files) };
  }
  if (text.startsWith('{')) {
    if (row.size > limits.documentBytes) throw new SourceStop('too_large');
    const parts: Buffer[] = [];
    for await (const part of file.read() as AsyncIterable<Buffer>) parts.push(part);
    const document = parsed(Buffer.concat(parts));
    if (!isGhost(document)) throw new SourceStop('not_recognised');
    await readGhost(document, false, sink);
    return { source: 'ghost', plan: await collector.finish() };
  }
  if (!/\.(?:csv|tsv|txt)$/i.test(row.name) || head.includes(0)) throw new SourceStop('not_recognised');
  await readCsv(file.read(), { name: row.name, delimiter: delimiterIn(text) }, sink, (done) => job.progress(done, null));
  return { source: 'csv', plan: await collector.finish() };
}

const SavedFrontier = z.object({ queue: z.array(z.string()), visited: z.array(z.string()), done: z.int() });
async function readWebsite(ctx: Context, row: ImportRow, job: RunningJob): Promise<Found> {
  const collector = openCollector(ctx, row.id);
  const saved = SavedFrontier.safeParse(job.saved);
  const crawl = {
    address: row.address ?? '',
    pages: row.pages,
    saved: saved.success ? saved.data : null,
    save: async (frontier: Frontier) => {
      await collector.flush();
      await job.save(frontier);
    },
    // An abort ends the pause, and `progress` then ends the job.
    wait: (ms: number) => sleep(ms, undefined, { signal: job.signal }).catch(() => undefined),
  };
  if (crawl.saved) collector.resume(crawl.saved.done);
  await readAddress(ctx, crawl, collector.sink, job.progress, job.signal);
  return { source: 'address', plan: await collector.finish() };
}

export const ImportInput = z.object({ importId: z.uuid() });

/** Finds out what a source is and reads all of it into PostgreSQL. An interrupted run begins again and replaces what it has read; that of an address continues. */
export const detectJob = defineJob('siteImport.detect', async (job, ctx) => {
  const { importId } = ImportInput.parse(job.input);
  const { db } = ctx.postgres;
  const row = (await queries.findImport(db, importId))?.row;
  if (!row || row.jobId !== job.id || row.state !== 'detecting') return;
  try {
    if (job.saved === null || row.address === null) await queries.clearItems(db, importId);
    const { source, plan } = row.address === null ? await readFile(ctx, row, job) : await readWebsite(ctx, row, job);
    await queries.changeImport(db, importId, { source, plan: storableJson(plan), state: 'planned', error: null });
  } catch (error) {
    if (!(error instanceof SourceStop)) throw error;
    await queries.changeImport(db, importId, { state: 'failed', error: error.code });
    throw new Failure('invalid_fields', { cause: error });
  } finally {
    announce(ctx, row);
  }
});
