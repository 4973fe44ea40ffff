import type { ImportReason } from '../../../contract/imports/schemas';
import type { Context } from '../../context';
import type { RunningJob } from '../../worker';
import type { IndexedSite } from '../sites';
import { importFiles } from './files';
import { openNaming } from './naming';
import { plausibleDay, plausibleTable } from './plausible';
import { refuse, includeTime } from './progress';
import type { Progress } from './progress';
import { saveProgress } from './queries';
import type { ImportRecord } from './queries';
import { ownHost } from './readLog';
import { Truncated } from './reader';
import { maskLine } from './sample';
import { openSink } from './sink';
import type { Sink } from './sink';
import { rowsOf, tablesOf } from './tables';
import type { Record_, Table } from './tables';
import { createUmamiHits, isPropsTable, propOf } from './umami';

export type Reading = {
  readonly ctx: Context;
  readonly job: RunningJob;
  readonly row: ImportRecord;
  readonly site: IndexedSite;
  /** Updated during reading. */
  readonly progress: Progress;
  /** Bytes on disk of the files before `file`. */
  readonly before: (file: number) => number;
};

type Take = (records: readonly Record_[], table: Table, first: number) => Promise<void>;

/**
 * Reads the tables of one file. `progress.line` counts records across all tables; earlier records are skipped, so that an interrupted import continues.
 * `first`: the number of a batch's first record across all tables.
 */
async function eachTable(reading: Reading, choose: (table: Table) => boolean, take: Take, from: number): Promise<void> {
  const { ctx, row, progress } = reading;
  const file = row.files[progress.file];
  let count = 0;
  const broken = (table: Table, reason: ImportReason) => (line: number) => {
    count += 1;
    if (count > from) refuse(progress, reason, () => ({ file: table.name, line, text: '' }));
  };
  let opened: Awaited<ReturnType<typeof tablesOf>>;
  try {
    opened = await tablesOf(importFiles.file(ctx, row.id, progress.file), file?.name ?? '');
  } catch (error) {
    // The contents of a truncated zip file cannot be listed.
    if ((error as NodeJS.ErrnoException).code?.startsWith('E')) throw error;
    return refuse(progress, 'truncated', () => ({ file: file?.name ?? '', line: 0, text: '' }));
  }
  try {
    for (const table of opened.tables.filter(choose)) {
      try {
        for await (const records of rowsOf(table, broken(table, 'bad_row'))) {
          const first = count;
          count += records.length;
          const fresh = records.slice(Math.max(0, from - first));
          if (fresh.length > 0) await take(fresh, table, Math.max(first, from));
        }
      } catch (error) {
        if (!(error instanceof Truncated)) throw error;
        refuse(progress, 'truncated', () => ({ file: table.name, line: 0, text: '' }));
      }
    }
  } finally {
    opened.close();
  }
}

const reportProgress = async ({ row, progress, before }: Reading, job: RunningJob): Promise<void> => {
  progress.read = before(progress.file + 1);
  await job.progress(progress.read, row.total);
};

const sampleOf = (table: Table, { line, row }: Record_) => ({ file: table.name, line, text: maskLine(Object.values(row).join(',')) });

/** Umami: event properties first, wherever they are, then the hits. */
export async function readUmami(reading: Reading): Promise<void> {
  const { ctx, row, progress } = reading;
  const target = {
    store: ctx.clickhouse,
    siteId: row.siteId,
    number: row.number,
    save: async (upTo: Progress) => void (await saveProgress(ctx.postgres.db, row.id, upTo)),
  };
  const sink = await openSink(target, progress);
  try {
    await readUmamiInto(sink, reading);
    await sink.close();
  } finally {
    await sink.settle();
  }
  await ctx.clickhouse.command('DELETE FROM import_props WHERE site_id = {site:String} AND import_id = {number:UInt32}', {
    params: { site: row.siteId, number: row.number },
  });
}

async function readUmamiInto(sink: Sink, reading: Reading): Promise<void> {
  const { ctx, job, row, site, progress } = reading;
  const { clickhouse } = ctx;
  const marks = { site_id: row.siteId, import_id: row.number };
  const makeHit = createUmamiHits(openNaming(ctx.secrets), site, ownHost(site), row.mode ?? 'count', ctx.now(), row.createdAt.getTime());
  const start = progress.file;
  const startLine = progress.line;

  if (start === 0 && startLine === 0) {
    for (; progress.file < row.files.length; progress.file += 1) {
      await eachTable(
        reading,
        isPropsTable,
        async (records, table) => {
          const props = records.flatMap((record) => {
            const prop = propOf(record.row);
            if (prop === null) refuse(progress, 'bad_row', () => sampleOf(table, record));
            else refuse(progress, 'event_data', () => ({ file: table.name, line: record.line, text: '' }));
            return prop === null ? [] : [{ ...marks, event_id: prop.event, name: prop.name, value: prop.value }];
          });
          progress.lines += records.length;
          await clickhouse.insert('import_props', props);
          await job.progress(progress.read, row.total);
        },
        0,
      );
    }
  }
  Object.assign(progress, { file: start, line: startLine });

  for (; progress.file < row.files.length; Object.assign(progress, { file: progress.file + 1, line: 0 })) {
    await eachTable(
      reading,
      (table) => !isPropsTable(table) && !/session_data/i.test(table.name),
      async (records, table, first) => {
        const events = records.flatMap((record) => (record.row['event_type'] === '2' && record.row['event_id'] ? [record.row['event_id']] : []));
        const props = await propsOf(reading, events);
        for (const record of records) {
          progress.lines += 1;
          const hit = makeHit(record.row, props.get(record.row['event_id'] ?? '') ?? '');
          if (typeof hit === 'string') refuse(progress, hit, () => sampleOf(table, record));
          else {
            includeTime(progress, hit.at);
            sink.add(hit);
          }
        }
        progress.line = first + records.length;
        if (sink.full()) await sink.flush();
        await job.progress(progress.read, row.total);
      },
      progress.line,
    );
    await reportProgress(reading, job);
  }
}

/** Maximum number of properties per event, as in the collector. */
const mostProps = 30;

async function propsOf({ ctx, row }: Reading, events: readonly string[]): Promise<Map<string, string>> {
  if (events.length === 0) return new Map();
  const found = await ctx.clickhouse.query<{ event_id: string; names: string[]; texts: string[] }>(
    `SELECT event_id, groupArray(name) AS names, groupArray(value) AS texts FROM
       (SELECT event_id, name, value FROM import_props FINAL WHERE site_id = {site:String} AND import_id = {number:UInt32} AND event_id IN {events:Array(String)} ORDER BY name LIMIT {most:UInt32} BY event_id)
     GROUP BY event_id`,
    { params: { site: row.siteId, number: row.number, events, most: mostProps } },
  );
  return new Map(
    found.map(({ event_id, names, texts }) => [
      event_id,
      JSON.stringify(Object.fromEntries(names.filter((name) => name !== '__proto__').map((name, i) => [name, JSON.parse(texts[i] ?? '""') as unknown]))),
    ]),
  );
}

/** Plausible: days are stored as days. */
export async function readPlausible(reading: Reading): Promise<void> {
  const { ctx, job, row, progress } = reading;
  for (; progress.file < row.files.length; Object.assign(progress, { file: progress.file + 1, line: 0 })) {
    await eachTable(
      reading,
      () => true,
      async (records, table, first) => {
        const kind = plausibleTable(table.name);
        const days = records.flatMap((record, index) => {
          progress.lines += 1;
          const day = kind === null ? null : plausibleDay(record.row, first + index + 1, kind);
          if (day === null) refuse(progress, 'bad_row', () => sampleOf(table, record));
          else includeTime(progress, Date.parse(`${day.day}T00:00:00Z`));
          return day === null ? [] : [{ site_id: row.siteId, import_id: row.number, ...day }];
        });
        await ctx.clickhouse.insert('imported_days', days, { token: `days ${row.number} ${progress.file} ${first}` });
        progress.accepted += days.length;
        progress.line = first + records.length;
        await job.progress(progress.read, row.total);
      },
      progress.line,
    );
    await reportProgress(reading, job);
  }
}
