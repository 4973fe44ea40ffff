import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { tableEndpoints as endpoints } from '../../../../../contract/tables/endpoints';
import { tableLimits } from '../../../../../contract/tables/terms';
import type { Context } from '../../../../context';
import { fail, failField } from '../../../../http/failure';
import { route } from '../../../../http/route';
import { defineJob } from '../../../../worker';
import { insertJob } from '../../../../worker/queries';
import { readerOf } from '../../core/access';
import { designing } from '../design';
import type { Designer } from '../design';
import { designerBy, designerOf } from '../designer';
import { applyParts } from '../fields';
import { tableResponse } from '../responses';
import { JobInput as IndexInput } from '../indexes/toggle';
import { noteRemovedChoice } from '../../core/write/choices';
import { fieldOf, siteModel, tableOf } from '../../core/model';
import type { FieldModel, SiteModel, TableModel } from '../../core/model';
import { starterNow } from '../../core/starter';
import { inWrite } from '../../core/write/call';
import { applyOps } from '../../core/write/apply';
import type { Op, Writing } from '../../core/write/apply';
import { storeBatch, writeBatch } from '../../core/write/engine';
import { lockRows } from '../../core/write/rows';
import type { TableContext } from '../../core/tableContext';
import type { Change, WriteTx } from '../../core/write/types';
import { holdWriters } from '../../core/write/choiceRows';
import { choiceCounts, holderCount, holders, isHeld, scrubPublished } from './rows';

/** Records per transaction. */
const atOnce = 500;

const Input = z.object({
  tableId: z.string(),
  fieldId: z.string(),
  choice: z.string(),
  to: z.string().nullable(),
  batchId: z.uuid(),
  timeZone: z.string(),
  by: IndexInput.shape.by,
});
type Input = z.output<typeof Input>;
type Found = { readonly model: SiteModel; readonly table: TableModel; readonly field: FieldModel };

const isSelection = ({ type }: FieldModel): boolean => type === 'select' || type === 'multiSelect';
const knows = ({ options }: FieldModel, choice: string): boolean => options.choices?.some(({ id }) => id === choice) ?? false;

/** Throws `not_found` if the choice does not exist, and `invalid_fields` if records cannot move to `to`. */
function requireRemovable(field: FieldModel, choice: string, to: string | null): void {
  if (!isSelection(field) || !knows(field, choice)) fail('not_found');
  if (to === choice || (to !== null && !knows(field, to))) failField('to', 'unknown');
  if (to === null && field.required) failField('to', 'required');
}

/** Default of new records after the removal of a choice. */
function begunWith({ default: begins }: FieldModel, choice: string, to: string | null): FieldModel['default'] {
  if (begins?.kind !== 'value') return begins;
  const { value } = begins;
  if (value === choice) return to === null ? null : { kind: 'value', value: to };
  if (!Array.isArray(value) || !value.includes(choice)) return begins;
  const others = [...new Set((value as readonly unknown[]).flatMap((id) => (id !== choice ? [id] : to === null ? [] : [to])))];
  return others.length === 0 ? null : { kind: 'value', value: others };
}

/** Number of records that got another choice: live ones, and those in the bin. */
type Moved = { readonly moved: number; readonly binned: number };

/** Sets another value on records in the bin, which nobody can edit, as part of the batch, so that undo restores theirs. */
async function moveInBin(
  w: WriteTx,
  context: TableContext,
  field: FieldModel,
  values: readonly (readonly [string, string | string[] | null])[],
  batchId: string,
): Promise<void> {
  if (values.length === 0) return;
  const { model, table, reader } = context;
  const fields = table.fields.filter((one) => one.id === field.id || (field.searchable && one.searchable));
  const ids = values.map(([id]) => id);
  const rows = await lockRows(w.tx, model.siteId, table, ids, { fields, tr: field.searchable, published: false });
  const writing: Writing = { siteId: model.siteId, batchId, origin: 'bulk', actor: reader.userId };
  const ops = values.map(([id, value]): Op => ({ id, kind: 'update', set: new Map([[field.id, value]]) }));
  const applied = await applyOps(w, writing, table, rows, ops);
  const updated = applied.filter(({ changed }) => changed).length;
  await storeBatch(w, context, writing, { created: 0, updated, removed: 0, restored: 0 }, { batchId });
}

class Removal {
  readonly #ctx: Context;
  #designer: Designer;
  readonly #input: Input;
  readonly #isJob: boolean;

  constructor(ctx: Context, designer: Designer, input: Input, { isJob = false }: { readonly isJob?: boolean } = {}) {
    this.#ctx = ctx;
    this.#designer = designer;
    this.#input = input;
    this.#isJob = isJob;
  }
  /** The person who started it, with their current permissions: the job may run much later. */
  async #designerNow(): Promise<Designer> {
    if (!this.#isJob) return this.#designer;
    const { siteId, userId } = this.#designer;
    const role = await starterNow(this.#ctx.postgres.db, siteId, userId, 'tables.design');
    this.#designer = { ...this.#designer, reader: { role, userId } };
    return this.#designer;
  }
  async #found(): Promise<Found> {
    const model = await siteModel(this.#ctx, this.#designer.siteId);
    const table = tableOf(model, this.#input.tableId);
    return { model, table, field: fieldOf(table, this.#input.fieldId) };
  }

  /** Moves the next records with the choice, in one transaction, all in the same batch. null: none left. */
  async #piece(after: string | null): Promise<(Moved & { readonly last: string; readonly failed: number }) | null> {
    const { choice, to, batchId, timeZone } = this.#input;
    const { model, table, field } = await this.#found();
    requireRemovable(field, choice, to);
    const { reader } = await this.#designerNow();
    return inWrite(this.#ctx, null, async (w) => {
      const rows = await holders(w.tx, model.siteId, table, field, choice, { after, most: atOnce });
      const last = rows.at(-1);
      if (!last) return null;
      const next = (value: string | string[]): string | string[] | null => {
        if (!Array.isArray(value)) return to;
        const others = [...new Set(value.flatMap((id) => (id !== choice ? (knows(field, id) ? [id] : []) : to === null ? [] : [to])))];
        return others.length > 0 ? others : null;
      };
      const live = rows.filter(({ binned }) => !binned);
      const changes = live.map(({ id, value }): Change => ({ kind: 'update', id, values: { [field.id]: next(value) }, system: true }));
      const context = { model, table, reader, timeZone };
      const { results } = await writeBatch(w, context, changes, { origin: 'bulk', errors: 'collect', batchId });
      const failed = results.filter(({ outcome }) => outcome === 'failed').length;
      const binned = rows.filter((row) => row.binned).map(({ id, value }) => [id, next(value)] as const);
      await moveInBin(w, context, field, binned, batchId);
      return { last: last.id, moved: live.length - failed, binned: binned.length, failed };
    });
  }

  /** Removes the choice from the definition, unless somebody has used it meanwhile. */
  async #end(): Promise<boolean> {
    const { tableId, fieldId, choice, to, batchId } = this.#input;
    return designing(this.#ctx, await this.#designerNow(), async (design) => {
      const table = await design.table(tableId);
      const field = fieldOf(table, fieldId);
      const gone = field.options.choices?.find(({ id }) => id === choice);
      if (!gone) return true;
      requireRemovable(field, choice, to);
      await holdWriters(design.tx, design.siteId, table);
      if (await isHeld(design.tx, design.siteId, table, field, choice)) return false;
      await scrubPublished(design.tx, design.siteId, table, field, choice, to);
      const choices = (field.options.choices ?? []).filter(({ id }) => id !== choice);
      await applyParts(design, table, field, { options: { ...field.options, choices }, default: begunWith(field, choice, to) });
      await noteRemovedChoice(design.tx, batchId, field, gone);
      return true;
    });
  }

  /** Moves the records and then removes the choice. Returns how many were moved. Throws `conflict` if some cannot be moved: the choice stays. */
  async whole(step: (moved: number) => Promise<void> = async () => {}): Promise<Moved> {
    let [moved, binned] = [0, 0];
    for (;;) {
      let failed = 0;
      for (let after: string | null = null; ;) {
        const piece = await this.#piece(after);
        if (!piece) break;
        after = piece.last;
        moved += piece.moved;
        binned += piece.binned;
        failed += piece.failed;
        await step(moved + binned);
      }
      if (failed > 0) fail('conflict');
      if (await this.#end()) return { moved, binned };
    }
  }
}

/** Removes a choice that many records have; after a crash it continues with those that still have it. */
export const choiceJob = defineJob('tables.choice', async (job, ctx) => {
  const input = Input.parse(job.input);
  const siteId = job.siteId ?? '';
  const designer = designerBy(siteId, input.by, await starterNow(ctx.postgres.db, siteId, input.by.userId, 'tables.design'));
  const model = await siteModel(ctx, siteId);
  const table = tableOf(model, input.tableId);
  const field = fieldOf(table, input.fieldId);
  // Interrupted right after the removal.
  if (!knows(field, input.choice)) return;
  const total = await holderCount(ctx.postgres.db, siteId, table, field, input.choice);
  await job.progress(0, total);
  await new Removal(ctx, designer, input, { isJob: true }).whole((moved) => job.progress(moved, Math.max(moved, total)));
});

export function registerChoices(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;
  route(app, ctx, endpoints.choiceUses, async (call) => {
    const table = tableOf(await siteModel(ctx, call.site.id), call.params.table);
    const field = fieldOf(table, call.params.field);
    if (!isSelection(field)) return failField('field', 'wrong_type');
    const counts = await choiceCounts(db, call.site.id, table, field);
    return (field.options.choices ?? []).map(({ id }) => ({ id, records: counts.get(id) ?? 0 }));
  });

  route(app, ctx, endpoints.removeChoice, async (call) => {
    const siteId = call.site.id;
    const table = tableOf(await siteModel(ctx, siteId), call.params.table);
    const field = fieldOf(table, call.params.field);
    const { choice } = call.params;
    const { to } = call.body;
    requireRemovable(field, choice, to);
    const designer = designerOf(call);
    const { lang, actor, userId, locale, reader } = designer;
    if (reader.role === 'public') return fail('forbidden');
    const by = { lang, actor, userId, role: reader.role, locale };
    const input: Input = { tableId: table.id, fieldId: field.id, choice, to, batchId: randomUUID(), timeZone: call.site.row.timeZone, by };
    const records = await holderCount(db, siteId, table, field, choice);
    const currentTable = async () => tableResponse(db, await siteModel(ctx, siteId), tableOf(await siteModel(ctx, siteId), table.id), readerOf(call));
    if (records > tableLimits.batch) {
      const title = field.options.choices?.find(({ id }) => id === choice)?.title ?? '';
      const at = new Date(ctx.now());
      const job = await insertJob(db, {
        kind: 'tables.choice',
        siteId,
        label: `${table.title} · ${field.title} · ${title}`,
        input,
        createdBy: userId,
        createdAt: at,
        runAfter: at,
      });
      ctx.live.publish({ type: 'job', jobId: job.id });
      return { batchId: null, moved: 0, jobId: job.id, table: await currentTable() };
    }
    const { moved, binned } = await new Removal(ctx, designer, input).whole();
    return { batchId: moved + binned > 0 ? input.batchId : null, moved, jobId: null, table: await currentTable() };
  });
}
