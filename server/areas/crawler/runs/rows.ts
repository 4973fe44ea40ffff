import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { addressColumn } from '../../../../contract/crawler/rowMapping';
import { crawlerEndpoints as endpoints } from '../../../../contract/crawler/schemas';
import { mayOnSite } from '../../../../contract/permissions';
import type { Context } from '../../../context';
import { fail, failField } from '../../../http/failure';
import { route } from '../../../http/route';
import type { CallOf } from '../../../http/route';
import { defineJob, enqueue } from '../../../worker';
import type { RunningJob } from '../../../worker';
import { actorOf, record } from '../../audit';
import { findSite } from '../../sites';
import { hasBatch, inWrite, newRecordId, roleNow, writableFields, writeRecords } from '../../tables';
import type { TextReader, WritableField } from '../../tables';
import { found } from './crawlers';
import * as queries from './queries';
import type { ExtractedRow, RunRecord } from './queries';
import { foundRun } from './running';

const chunk = 500;

const Input = z.object({
  runId: z.string(),
  extraction: z.string(),
  tableId: z.string(),
  fields: z.record(z.string(), z.string()),
  keyField: z.string().nullable(),
  batchId: z.string(),
  userId: z.string(),
});
export type StoredRows = z.infer<typeof Input>;

/** Starts writing rows into a table, as one person, in one batch. */
export async function enqueueRows(
  ctx: Context,
  run: Pick<RunRecord, 'siteId'>,
  label: string,
  input: StoredRows,
  db: Parameters<typeof enqueue>[3] = ctx.postgres.db,
): Promise<string> {
  const job = await enqueue(ctx, 'crawler.rows', { siteId: run.siteId, label, input, createdBy: input.userId }, db);
  return job.id;
}

/** A value as a field takes it: several values as lines, except where the field has several; numbers as text where the field has text. */
function fieldValue(value: unknown, type: WritableField['type'] | undefined): unknown {
  if (Array.isArray(value)) return type !== undefined && several.has(type) ? value : value.join('\n');
  if ((typeof value === 'number' || typeof value === 'boolean') && type !== undefined && textual.has(type)) return String(value);
  return value;
}
const several: ReadonlySet<string> = new Set(['tags', 'multiSelect']);
const textual: ReadonlySet<string> = new Set(['text', 'longText', 'url', 'email', 'phone']);

function recordOf(row: ExtractedRow, fields: StoredRows['fields'], types: ReadonlyMap<string, WritableField>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([column, name]) => [
      name,
      fieldValue(column === addressColumn ? row.url : (row.values[column] ?? null), types.get(name)?.type),
    ]),
  );
}

/** All rows of an extraction, by address. */
export async function* rowsOf(ctx: Context, run: RunRecord, extraction: string): AsyncGenerator<ExtractedRow[]> {
  let after: { urlId: number; row: number } | null = null;
  for (;;) {
    const rows: ExtractedRow[] = await queries.extractedRows(ctx.postgres.db, run, extraction, after, chunk);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < chunk) return;
    after = { urlId: last.urlId, row: last.row };
  }
}

/** The first row of each value of the key: a batch writes each record once. */
function withoutRepetitions(records: Record<string, unknown>[], keyField: string | null, known: Set<string>): Record<string, unknown>[] {
  if (keyField === null) return records;
  return records.filter((values) => {
    const key = values[keyField];
    if (typeof key !== 'string' && typeof key !== 'number') return true;
    if (known.has(String(key))) return false;
    known.add(String(key));
    return true;
  });
}

/** Writes all rows in one transaction: a crash or cancellation leaves none of them, and a run that is repeated after its commit does nothing. */
async function writeAll(ctx: Context, job: RunningJob, run: RunRecord, who: TextReader, input: StoredRows): Promise<void> {
  const types = new Map((await writableFields(ctx, who, input.tableId)).map((field) => [field.id, field]));
  const total = (await queries.extractionsOf(ctx.postgres.db, run.id)).find(({ extraction }) => extraction === input.extraction)?.rows ?? 0;
  await inWrite(ctx, null, async (w) => {
    let done = 0;
    const known = new Set<string>();
    for await (const rows of rowsOf(ctx, run, input.extraction)) {
      await job.progress(done, total);
      const records = withoutRepetitions(
        rows.map((row) => recordOf(row, input.fields, types)),
        input.keyField,
        known,
      );
      if (records.length > 0)
        await writeRecords(w, who, { tableId: input.tableId, records, keyField: input.keyField, batchId: input.batchId, origin: 'crawl' });
      done += rows.length;
    }
    return null;
  });
  await job.progress(total, total);
}

export const rowsJob = defineJob('crawler.rows', async (job, ctx) => {
  const input = Input.parse(job.input);
  const run = await queries.findRun(ctx.postgres.db, input.runId);
  const site = run && (await findSite(ctx, run.siteId));
  const role = run && (await roleNow(ctx.postgres.db, run.siteId, input.userId));
  if (!run || !site) return fail('not_found');
  if (!role || !mayOnSite(role, 'crawler.configure')) return fail('forbidden');
  if (await hasBatch(ctx, site.id, input.batchId)) return undefined;
  await writeAll(ctx, job, run, { siteId: site.id, reader: { role, userId: input.userId }, timeZone: site.timeZone }, input);
  return undefined;
});

async function store(ctx: Context, call: CallOf<typeof endpoints.storeCrawlRows>): Promise<{ jobId: string; batchId: string }> {
  const { site, session, body, params } = call;
  const run = await foundRun(ctx, params.crawlRunId);
  if (session.token && !session.token.scopes.includes('tables:write')) return fail('forbidden');
  if (!(await queries.extractionsOf(ctx.postgres.db, run.id)).some(({ extraction }) => extraction === body.extraction))
    return failField('extraction', 'unknown');
  const columns = run.config.extractions.find(({ name }) => name === body.extraction)?.columns.map(({ name }) => name) ?? [];
  // A column that no row has would empty the field of every record.
  if (!Object.keys(body.fields).every((column) => column === addressColumn || columns.includes(column))) return failField('fields', 'unknown');
  const who = { siteId: site.id, reader: { role: site.role, userId: session.userId }, timeZone: site.row.timeZone };
  const fields = new Map((await writableFields(ctx, who, body.tableId)).map((field) => [field.id, field]));
  const chosen = Object.values(body.fields);
  if (chosen.length === 0) return failField('fields', 'required');
  if (new Set(chosen).size < chosen.length) return failField('fields', 'duplicate');
  if (!chosen.every((id) => fields.has(id))) return failField('fields', 'unknown_field');
  if (body.keyField !== null && !(chosen.includes(body.keyField) && fields.get(body.keyField)?.isKey)) return failField('keyField', 'wrong_type');
  const crawler = await found(ctx, run.crawlerId);
  const batchId = newRecordId(ctx.now());
  const jobId = await ctx.postgres.db.transaction(async (tx) => {
    await record(ctx, tx, actorOf(call), {
      action: 'crawler.rows_stored',
      siteId: site.id,
      target: { kind: 'crawler', id: crawler.id, name: crawler.name },
      after: { run: run.number, extraction: body.extraction, tableId: body.tableId },
    });
    return enqueueRows(ctx, run, crawler.name, { runId: run.id, ...body, batchId, userId: session.userId }, tx);
  });
  return { jobId, batchId };
}

export function registerRows(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;
  route(app, ctx, endpoints.crawlRows, async ({ params, query }) => {
    const run = await foundRun(ctx, params.crawlRunId);
    const [urlId, row] = query.before?.split('.').map(Number) ?? [];
    const after = urlId === undefined || row === undefined ? null : { urlId, row };
    const [rows, counts] = await Promise.all([queries.extractedRows(db, run, query.extraction, after, query.size + 1), queries.extractionsOf(db, run.id)]);
    const page = rows.slice(0, query.size);
    const last = page.at(-1);
    return {
      rows: page.map((one) => ({ url: one.url, row: one.row, values: one.values as Record<string, string | number | boolean | string[] | null> })),
      total: counts.find(({ extraction }) => extraction === query.extraction)?.rows ?? 0,
      next: rows.length > query.size && last ? `${last.urlId}.${last.row}` : null,
    };
  });
  route(app, ctx, endpoints.storeCrawlRows, (call) => store(ctx, call));
}
