import { z } from 'zod';
import type { Context } from '../../../../context';
import { Failure } from '../../../../http/failure';
import { JobInterrupted, defineJob } from '../../../../worker';
import type { RunningJob } from '../../../../worker';
import { designing } from '../design';
import type { Designer } from '../design';
import { setField, touchSite } from '../queries';
import { tendRecords } from '../rebuild';
import { changingTables, lockTable } from '../../core/ddl';
import { alone, build, missing } from '../indexes/build';
import { JobInput as IndexInput } from '../indexes/toggle';
import { readModel } from '../../core/model';
import { designerBy } from '../designer';
import { starterNow } from '../../core/starter';
import type { ConversionProgress } from '../../core/schema';
import { dropBeside } from './beside';
import { convertRows, isStored } from './pass';
import * as queries from './queries';
import type { ConversionRecord } from './queries';
import { countRows, readRows, writeRows } from './rows';
import type { Part, Work } from './rows';
import { fieldNow, indexesFor, keepsPublished, partsOf, ready, swap } from './swap';
import { Choices } from '../../core/values/convert';

/** Maximum number of records per transaction, and the approximate bytes of their values. */
const most = 5000;
const bytes = 16 * 2 ** 20;
const first = '00000000-0000-0000-0000-000000000000';
/** Polling interval while another index build runs, ms. */
const askAgain = 500;

const Input = z.object({ conversionId: z.uuid(), timeZone: z.string(), by: IndexInput.shape.by });
type Input = z.output<typeof Input>;

const choicesOf = ({ spec }: ConversionRecord): Choices | null =>
  spec.to.type === 'select' || spec.to.type === 'multiSelect' ? new Choices(spec.to.options.choices ?? [], spec.addChoices) : null;

class Run {
  readonly #ctx: Context;
  readonly #job: RunningJob;
  readonly #input: Input;
  #designer: Designer;
  #now: ConversionRecord;
  #undoes: ConversionRecord | null = null;
  /** Size of the next chunk: small at first, until the size of values is known. */
  #piece = 500;

  constructor(ctx: Context, job: RunningJob, input: Input, conversion: ConversionRecord) {
    this.#ctx = ctx;
    this.#job = job;
    this.#input = input;
    this.#now = conversion;
    this.#designer = designerBy(conversion.siteId, input.by, input.by.role);
  }

  /** The person who started it, with their current permissions. */
  async #designerNow(): Promise<Designer> {
    const { siteId, userId } = this.#designer;
    const role = await starterNow(this.#ctx.postgres.db, siteId, userId, 'tables.design');
    this.#designer = { ...this.#designer, reader: { role, userId } };
    return this.#designer;
  }
  async #again(): Promise<void> {
    this.#now = await designing(this.#ctx, await this.#designerNow(), (design) => ready(design, this.#now, this.#input.timeZone));
  }
  async #work(): Promise<Work> {
    const { db } = this.#ctx.postgres;
    const model = await readModel(db, this.#now.siteId, 0);
    const { table, field } = fieldNow(model, this.#now);
    const undoes = this.#undoes?.spec ?? null;
    const hasPublishedValues = await keepsPublished({ tx: db, siteId: this.#now.siteId }, table.id, undoes);
    return { model, table, field, spec: this.#now.spec, undoes, hasPublishedValues, timeZone: this.#input.timeZone };
  }

  /** One chunk: read, converted and written in one transaction with the progress. Returns the number of records. */
  async #step(part: Part, which: { readonly after: string } | 'stale'): Promise<number> {
    await this.#designerNow();
    const work = await this.#work();
    const limit = this.#piece;
    const { read, size, next } = await this.#ctx.postgres.db.transaction(async (tx) => {
      const choices = choicesOf(this.#now);
      const rows = await readRows(this.#ctx, tx, work, part, which, limit);
      const { written, tally } = await convertRows(this.#ctx, tx, work, rows, choices);
      await writeRows(tx, work, part, written);
      const { progress, spec } = this.#now;
      const counts = part === 'records' && which !== 'stale' ? tally : { lossy: 0, emptied: 0, edited: 0 };
      const ended = rows.length < limit;
      const moved: ConversionProgress = {
        ...progress,
        ...(which === 'stale'
          ? {}
          : { after: ended ? null : (rows.at(-1)?.id ?? null), stage: ended ? (part === 'records' && work.table.drafts ? 'published' : 'rest') : part }),
        done: Math.min(progress.total, progress.done + (which === 'stale' ? 0 : rows.length)),
        lossy: progress.lossy + counts.lossy,
        emptied: progress.emptied + counts.emptied,
        edited: progress.edited + counts.edited,
      };
      const grown = choices && choices.added.length > 0 ? { ...spec, to: { ...spec.to, options: { ...spec.to.options, choices: choices.all } } } : undefined;
      if (!(await queries.moveOn(tx, this.#now, moved, grown))) throw new JobInterrupted('lost');
      return { read: rows.length, size: JSON.stringify(written).length, next: { ...this.#now, progress: moved, ...(grown ? { spec: grown } : {}) } };
    });
    this.#now = next;
    if (read > 0) this.#piece = Math.max(1, Math.min(most, Math.floor(bytes / Math.max(1, size / read))));
    await this.#job.progress(next.progress.done, Math.max(1, next.progress.total));
    return read < limit ? 0 : read;
  }

  /** Fills the new column: everything once, then records written meanwhile, until few are left. */
  async #fill(): Promise<void> {
    const { db } = this.#ctx.postgres;
    if (this.#now.progress.total === 0) {
      const work = await this.#work();
      let total = 0;
      for (const part of partsOf(work.table)) total += await countRows(db, work, part);
      const progress = { ...this.#now.progress, total };
      if (!(await queries.moveOn(db, this.#now, progress))) throw new JobInterrupted('lost');
      this.#now = { ...this.#now, progress };
    }
    while (this.#now.progress.stage !== 'rest') {
      const { stage, after } = this.#now.progress;
      await this.#step(stage, { after: after ?? first });
    }
    const { table } = await this.#work();
    for (const part of partsOf(table)) while ((await this.#step(part, 'stale')) > 0);
  }

  /** Runs the whole conversion, including the swap. */
  async whole(): Promise<void> {
    const { postgres } = this.#ctx;
    const { siteId, tableId, of, spec } = this.#now;
    this.#undoes = of === null ? null : await queries.findConversion(postgres.db, of);
    for (;;) {
      await this.#again();
      if (isStored(spec.to.type)) await this.#fill();
      const done = await alone(this.#ctx, tableId, async (client) => {
        const { model, table, spec: currentSpec } = await this.#work();
        const lacking = await missing(client, siteId, indexesFor(model, table, currentSpec));
        if (lacking.length > 0) await build(this.#ctx, this.#job, client, siteId, lacking);
        const { progress } = this.#now;
        await this.#job.progress(progress.done, Math.max(1, progress.total));
        try {
          return await designing(this.#ctx, await this.#designerNow(), (design) =>
            swap(this.#ctx, design, this.#now, this.#undoes, { timeZone: this.#input.timeZone, choices: choicesOf(this.#now) }),
          );
        } catch (error) {
          // A long-running reader or writer holds the table; retried later.
          if (error instanceof Failure && error.code === 'unavailable') return null;
          throw error;
        }
      });
      if (done === true) break;
      await this.#job.progress(this.#now.progress.done, Math.max(1, this.#now.progress.total));
      if (done === null) await new Promise((resolve) => setTimeout(resolve, askAgain));
    }
    await tendRecords(this.#ctx, siteId, this.#designer.userId);
    this.#ctx.live.publish({ type: 'records', siteId, tableId, ids: [], by: null });
  }
}

/** Removes the columns of a conversion that did not finish; the field stays as it was. */
async function abandon(ctx: Context, conversion: ConversionRecord, state: 'failed' | 'cancelled', error: string | null): Promise<void> {
  const { siteId, tableId, fieldId, spec, id } = conversion;
  await changingTables(ctx.postgres, async (tx) => {
    const now = await queries.findConversion(tx, id);
    if (now?.state !== 'running') return;
    await touchSite(tx, siteId);
    await lockTable(tx, tableId);
    await setField(tx, fieldId, { converting: null });
    await dropBeside(tx, siteId, tableId, spec, 'fresh');
    await queries.setConversion(tx, id, { state, error, doneAt: new Date(ctx.now()) });
  });
  ctx.live.publish({ type: 'tables', siteId, tableId });
}

/**
 * Changes the type of a field: fills a new column beside the old one, some thousand records per transaction by id, together with the progress; then
 * converts records written meanwhile (whose revision differs from the converted one); builds the indexes; and swaps the columns. After a crash it
 * continues where it stopped. Refused or cancelled, it removes its columns.
 */
export const convertJob = defineJob('tables.convert', async (job, ctx) => {
  const input = Input.parse(job.input);
  const conversion = await queries.findConversion(ctx.postgres.db, input.conversionId);
  if (conversion?.state !== 'running') return;
  try {
    await new Run(ctx, job, input, conversion).whole();
  } catch (error) {
    const why = await interruptionOf(job, error);
    const refused = error instanceof Failure && error.status < 500;
    if (why === 'cancel') await abandon(ctx, conversion, 'cancelled', null);
    else if (why === null && refused) await abandon(ctx, conversion, 'failed', error.code);
    throw error;
  }
});

/** Why a job must stop, also when a statement was aborted for that reason: `cancel`, `stop` (shutdown), `lost` (its lease); null: it need not. */
async function interruptionOf(job: RunningJob, error: unknown): Promise<string | null> {
  if (error instanceof JobInterrupted) return error.message;
  if (!job.cancelled) return null;
  try {
    await job.progress(0, null);
    return null;
  } catch (interruption) {
    return interruption instanceof JobInterrupted ? interruption.message : null;
  }
}

/** Cleans up after conversions whose job ended early: cancelled while queued, or given up. Runs on a schedule. */
export async function tendConversions(ctx: Context, fieldId?: string): Promise<void> {
  for (const { conversion, job } of await queries.runningWithJobs(ctx.postgres.db, fieldId)) {
    if (job?.state === 'queued' || job?.state === 'running') continue;
    await abandon(ctx, conversion, job?.state === 'cancelled' ? 'cancelled' : 'failed', job?.error ?? null).catch((error: unknown) =>
      ctx.log.warn('what a conversion left stays for a while', { conversionId: conversion.id, error }),
    );
  }
}

/** Drops old columns that have been kept for 30 days, for one site. */
export async function purgeConversions(ctx: Context, siteId: string): Promise<void> {
  for (const conversion of await queries.overdue(ctx.postgres.db, new Date(ctx.now()), siteId)) {
    await changingTables(ctx.postgres, async (tx) => {
      await lockTable(tx, conversion.tableId);
      await dropBeside(tx, siteId, conversion.tableId, conversion.spec, 'kept');
      await queries.setConversion(tx, conversion.id, { state: 'purged', keepUntil: null });
    });
  }
}
