import { runSchedule } from '../support/schedules';
import { analyticsImport } from '../../server/areas/imports/run';
import { gzipSync } from 'node:zlib';
import type { Import } from '../../contract/imports/schemas';
import { importFiles } from '../../server/areas/imports/files';
import { createCounter } from '../../server/areas/imports/naming';
import { addImport, findImport } from '../../server/areas/imports/queries';
import type { ImportRecord } from '../../server/areas/imports/queries';
import { linesOf } from '../../server/areas/imports/reader';
import { JobInterrupted } from '../../server/worker';
import { endsAfter, fakeJob } from '../support/fakeJob';
import { openBench } from './importsSupport';
import type { Bench } from './importsSupport';

let b: Bench;
beforeAll(async () => void (b = await openBench()));
afterAll(() => b.close());

const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0';
/** Ten lines a second, some of them equal. */
const lineAt = (i: number): string => {
  const at = new Date(Date.UTC(2026, 10, 10) + Math.floor(i / 10) * 1000).toISOString();
  return `203.0.113.${i % 50} - - [10/Nov/2026:${at.slice(11, 19)} +0000] "GET /p${i % 2} HTTP/1.1" 200 1 "-" "${agent}"`;
};

async function imported(siteId: string, content: Buffer): Promise<ImportRecord> {
  const { ctx } = b.t;
  const row = await addImport(ctx.postgres.db, {
    siteId,
    files: [{ name: 'a.log', size: content.length }],
    total: content.length,
    format: 'combined',
    mode: 'count',
    started: true,
    jobId: '00000000-0000-4000-8000-000000000000',
    createdAt: new Date(ctx.now()),
  });
  await ctx.files.put(importFiles.key(row.id, 0), content);
  return row;
}

/** Runs the job directly; `stopAfter`: the number of progress reports before the program "ends". */
async function runJob(row: ImportRecord, stopAfter: number): Promise<void> {
  const job = fakeJob({ kind: 'analytics.import', siteId: row.siteId, input: { importId: row.id }, progress: endsAfter(stopAfter) });
  await analyticsImport.run(job, b.t.ctx).catch((error: unknown) => {
    if (!(error instanceof JobInterrupted)) throw error;
  });
}

test.each([
  ['plain', (text: string) => Buffer.from(text)],
  ['gz', (text: string) => gzipSync(text)],
])(
  'a repeatedly interrupted import (%s) stores every line once',
  async (_name, pack) => {
    const siteId = await b.newSite();
    // Several batches.
    const count = 150_000;
    const row = await imported(siteId, pack(`${Array.from({ length: count }, (_, i) => lineAt(i)).join('\n')}\n`));
    for (let tries = 0; tries < 3; tries += 1) await runJob(row, 5);
    await runJob(row, 1000);
    const found = await findImport(b.t.ctx.postgres.db, siteId, row.id);
    expect(found?.row.progress).toMatchObject({ phase: 'done', lines: count, accepted: count, repeated: 0 });
    const views = await b.get<{ totals: { views: number } }>(`/api/site/${siteId}/als/report?from=2026-11-10&to=2026-11-10&who=all`);
    expect(views.totals.views).toBe(count);
    const done = await b.get<Import>(`/api/site/${siteId}/als/imports/${row.id}`);
    expect(done).toMatchObject({ state: 'done', done: row.total });
  },
  60_000,
);

test('equal lines of a second are numbered, also after resuming', () => {
  const counter = createCounter();
  const seconds = [1, 1, 2, 1, 2, 3, 1];
  const numbers = seconds.map((second, line) => counter.next(second, 'same', { offset: line * 10, line }));
  expect(numbers).toEqual([1, 2, 1, 3, 2, 1, 4]);
  expect(counter.from({ offset: 70, line: 7 })).toEqual({ offset: 0, line: 0 });
  expect(createCounter().from({ offset: 70, line: 7 })).toEqual({ offset: 70, line: 7 });
});

test('a line of two hundred megabytes is skipped in bounded memory', async () => {
  const piece = Buffer.alloc(1 << 20, 120);
  async function* endless(): AsyncGenerator<Buffer> {
    yield Buffer.from('first\n');
    for (let i = 0; i < 200; i += 1) yield piece;
    yield Buffer.from('\nlast');
  }
  const before = process.memoryUsage().arrayBuffers;
  const lines: (string | null)[] = [];
  for await (const some of linesOf(endless(), 0)) lines.push(...some.map((one) => one.text));
  expect(lines).toEqual(['first', null, 'last']);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 << 20);
});

test('line positions are correct however the bytes are split', async () => {
  const text = 'a\r\nbb\n\n茶\nlast';
  const bytes = Buffer.from(text);
  for (const size of [1, 2, 3, 7, 100]) {
    async function* byteChunks(): AsyncGenerator<Buffer> {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    }
    const lines: { text: string | null; start: number; next: number }[] = [];
    for await (const some of linesOf(byteChunks(), 100)) lines.push(...some);
    expect(lines.map((one) => one.text)).toEqual(['a', 'bb', '', '茶', 'last']);
    expect(lines.map(({ start, next }) => bytes.subarray(start - 100, next - 100).toString())).toEqual(['a\r\n', 'bb\n', '\n', '茶\n', 'last']);
  }
});

test('unstarted uploads are deleted after a week without new chunks', async () => {
  const { ctx } = b.t;
  const { db } = ctx.postgres;
  const siteId = await b.newSite();
  const begin = (more: object) => addImport(db, { siteId, files: [{ name: 'a.log', size: 9 }], total: 9, createdAt: new Date(ctx.now()), ...more });
  const [left, started] = [await begin({}), await begin({ started: true, jobId: '00000000-0000-4000-8000-000000000000' })];
  await ctx.files.append(importFiles.key(left.id, 0), 0, Buffer.from('half'));
  const there = async (): Promise<boolean[]> => Promise.all([left, started].map(async ({ id }) => (await findImport(db, siteId, id)) !== null));
  await runSchedule({ ...ctx, now: () => ctx.now() + 6 * 86_400_000 }, 'imports.tend');
  expect(await there()).toEqual([true, true]);
  await runSchedule({ ...ctx, now: () => ctx.now() + 8 * 86_400_000 }, 'imports.tend');
  expect(await there()).toEqual([false, true]);
  expect(await ctx.files.folders('imports')).not.toContain(left.id);
});
