import { sql } from 'drizzle-orm';
import { usesOf } from '../../../../../contract/tables/fieldTypes';
import { tableLimits } from '../../../../../contract/tables/terms';
import type { Context } from '../../../../context';
import { fail } from '../../../../http/failure';
import type { Design } from '../design';
import { binField, restoreField } from '../fields';
import { storedField } from '../kinds';
import { addPending, markReverted, setField } from '../queries';
import { lockTable } from '../../core/ddl';
import type { FieldIndex, StoredField } from '../../core/ddl';
import { convertedRevs, publishedTable } from '../../core/ids';
import { indexesOf, missing } from '../indexes/build';
import type { FieldModel, SiteModel, TableModel } from '../../core/model';
import type { ConversionProgress, ConversionSpec } from '../../core/schema';
import { sameValue } from '../../core/values/check';
import { noteAllFiles } from '../../core/write/fileReferences';
import type { Tx } from '../../core/write/types';
import { JobInterrupted } from '../../../../worker';
import { addBeside, dropBeside, forgetRevs, hasColumn, swapColumns } from './beside';
import { convertRows, isStored } from './pass';
import * as queries from './queries';
import type { ConversionRecord } from './queries';
import { nameOf, readRows, writeRows } from './rows';
import { losesMirrors, othersAs, partsAs, partsNow } from './uses';
import type { Part, Work } from './rows';
import type { Choices } from '../../core/values/convert';

/** Maximum number of records converted while writers wait. */
const mostRest = 1000;
const keepFor = tableLimits.keepDays * 24 * 3_600_000;

export const partsOf = (table: Pick<TableModel, 'drafts'>): readonly Part[] => (table.drafts ? ['records', 'published'] : ['records']);
/** The new column as a field of its own. */
const freshField = (spec: ConversionSpec): StoredField =>
  storedField({ id: spec.fresh, type: spec.to.type, isUnique: spec.to.isUnique, indexed: spec.to.indexed });
/** Indexes that the new column needs before the swap. */
export const indexesFor = (model: SiteModel, table: TableModel, spec: ConversionSpec): FieldIndex[] =>
  isStored(spec.to.type) ? indexesOf(model.siteId, table, freshField(spec)) : [];

/** The field of a conversion, if unchanged since its start. Throws `conflict` otherwise. */
export function fieldNow(model: SiteModel, conversion: ConversionRecord): { readonly table: TableModel; readonly field: FieldModel } {
  const table = model.tables.find((one) => one.id === conversion.tableId) ?? fail('conflict');
  const field = table.fields.find((one) => one.id === conversion.fieldId) ?? fail('conflict');
  return field.converting?.jobId === conversion.jobId && field.type === conversion.spec.from.type ? { table, field } : fail('conflict');
}

/**
 * Prepares the new columns, also if the table has started to use drafts since. If the field's definition has changed since the start (a choice was
 * renamed), the conversion starts over.
 */
export async function ready(design: Design, conversion: ConversionRecord, timeZone: string): Promise<ConversionRecord> {
  const model = await design.model();
  const { table, field } = fieldNow(model, conversion);
  await lockTable(design.tx, table.id);
  const now = partsNow(field);
  let { spec, progress } = conversion;
  if (!sameValue(now, spec.from)) {
    const fresh = !sameValue(now.options, spec.from.options);
    // An undo restores the old definition, whatever happened to it meanwhile.
    const to = conversion.of === null ? partsAs(field, { type: spec.to.type, options: spec.to.options }, spec.keepUnique, timeZone) : spec.to;
    spec = { ...spec, from: now, to };
    if (fresh) {
      await forgetRevs(design.tx, design.siteId, table, spec);
      progress = { ...progress, stage: 'records', after: null, done: 0, lossy: 0, emptied: 0, edited: 0 };
    }
    await queries.setConversion(design.tx, conversion.id, { spec, progress });
  }
  if (isStored(spec.to.type)) await addBeside(design.tx, design.siteId, table, spec, design.collation);
  return { ...conversion, spec, progress };
}

/** Whether published states have the values kept by the conversion that is undone. */
export const keepsPublished = async (design: Pick<Design, 'tx' | 'siteId'>, tableId: string, undoes: ConversionSpec | null): Promise<boolean> =>
  undoes !== null && hasColumn(design.tx, publishedTable(design.siteId, tableId), convertedRevs(undoes.fresh));

/**
 * Replaces the old column with the new one, with definition and history, all or nothing. Returns false if work remains: too many records written
 * meanwhile, a missing index, a changed definition. Readers and writers wait while the last records are converted.
 */
export async function swap(
  ctx: Context,
  design: Design,
  conversion: ConversionRecord,
  undoes: ConversionRecord | null,
  state: { readonly timeZone: string; readonly choices: Choices | null },
): Promise<boolean> {
  const { tx, siteId } = design;
  const model = await design.model();
  const { table, field } = fieldNow(model, conversion);
  const { spec } = conversion;
  const storesValues = isStored(spec.to.type);
  await lockTable(tx, table.id);
  if (!sameValue(partsNow(field), spec.from)) return false;
  const undone = undoes?.spec ?? null;
  const work: Work = {
    model,
    table,
    field,
    spec,
    undoes: undone,
    hasPublishedValues: await keepsPublished(design, table.id, undone),
    timeZone: state.timeZone,
  };
  let progress: ConversionProgress = conversion.progress;
  if (storesValues) {
    // Exclusive from the start: a transaction that has read the table and then wants to write would deadlock with us. Everybody who comes meanwhile queues
    // behind us, so we wait only briefly and retry later.
    await tx.execute(sql.raw(`SET LOCAL lock_timeout = '400ms'`));
    for (const part of partsOf(table)) await tx.execute(sql.raw(`LOCK TABLE ${nameOf(work, part)} IN ACCESS EXCLUSIVE MODE`));
    for (const part of partsOf(table)) {
      if (!(await hasColumn(tx, nameOf(work, part), convertedRevs(spec.fresh)))) return false;
      const rows = await readRows(ctx, tx, work, part, 'stale', mostRest + 1);
      if (rows.length > mostRest) return false;
      const { written, tally } = await convertRows(ctx, tx as Tx, work, rows, state.choices);
      await writeRows(tx as Tx, work, part, written);
      if (part === 'records')
        progress = { ...progress, lossy: progress.lossy + tally.lossy, emptied: progress.emptied + tally.emptied, edited: progress.edited + tally.edited };
    }
    if ((await missing(ctx.postgres.pool, siteId, indexesFor(model, table, spec))).length > 0) return false;
  }
  if (!(await queries.moveOn(tx, conversion, progress))) throw new JobInterrupted('lost');
  await swapColumns(tx, siteId, table, field.id, spec);
  await settle(design, conversion, undoes, { table, field }, state.choices, progress);
  return true;
}
/** Writes the converted field to its definition, the history and the conversion's row. */
async function settle(
  design: Design,
  conversion: ConversionRecord,
  undoes: ConversionRecord | null,
  { table, field }: { readonly table: TableModel; readonly field: FieldModel },
  choices: Choices | null,
  progress: ConversionProgress,
): Promise<void> {
  const { tx, siteId } = design;
  const { spec } = conversion;
  const before = await design.model();
  const lost = othersAs(table, field, spec.to);
  const mirrors = losesMirrors(before, field, spec.to);
  const options = choices ? { ...spec.to.options, choices: choices.all } : spec.to.options;
  const to = { ...spec.to, options };
  await setField(tx, field.id, { ...to, converting: null });
  design.forget();
  if (usesOf(field.type) !== usesOf(spec.to.type)) await noteAllFiles(tx as Tx, { siteId, table: await design.table(table.id) }, field);
  for (const { id, after } of lost) await setOther(design, table, id, () => after);
  for (const [id, old] of Object.entries(undoes?.spec.others ?? {})) await setOther(design, table, id, (now) => withOld(now, old));
  const parts = (['isUnique', 'indexed', 'localized', 'searchable', 'default', 'rules', 'conditions'] as const).filter(
    (part) => !sameValue(spec.from[part], to[part]),
  );
  const pick = (from: typeof to): Record<string, unknown> => Object.fromEntries(parts.map((part) => [part === 'isUnique' ? 'unique' : part, from[part]]));
  await design.log({
    tableId: table.id,
    fieldId: field.id,
    op: 'field_converted',
    name: field.title,
    before: { type: spec.from.type, options: spec.from.options, ...pick(spec.from), $conversion: conversion.id },
    after: { type: to.type, options, ...pick(to) },
  });
  for (const mirror of mirrors) await binField(design, mirror.table, mirror.field, {});
  if (undoes) {
    for (const id of undoes.spec.mirrors) {
      const home = (await design.model()).tables.find((one) => one.deletedFields.some((other) => other.id === id));
      const mirror = home?.deletedFields.find((other) => other.id === id);
      if (home && mirror) await restoreField(design, home, mirror);
    }
    await dropBeside(tx, siteId, table.id, undoes.spec, 'kept');
    await queries.setConversion(tx, undoes.id, { state: 'undone', keepUntil: null });
    const change = await queries.changeOf(tx, undoes);
    if (change !== null) await markReverted(tx, change, siteId);
  }
  if (spec.from.searchable || to.searchable) await addPending(tx, table.id, { search: design.revision });
  if (to.type === 'autonumber') await addPending(tx, table.id, { numbers: [field.id] });
  await queries.setConversion(tx, conversion.id, {
    state: 'done',
    doneAt: design.at,
    keepUntil: new Date(design.at.getTime() + keepFor),
    spec: { ...spec, to, mirrors: mirrors.map((one) => one.field.id), others: Object.fromEntries(lost.map((one) => [one.id, one.before])) },
    progress: { ...progress, done: progress.total },
  });
}

type Filters = ConversionSpec['others'][string];
/** Current rules, plus those that a conversion had removed. */
function withOld(now: Filters, old: Filters): Filters {
  const added = <T>(all: readonly T[], some: readonly T[]): T[] => [...all, ...some.filter((one) => !all.some((known) => sameValue(known, one)))];
  return { rules: added(now.rules, old.rules), conditions: added(now.conditions, old.conditions) };
}
/** Changes rules and conditions of another field along with this one. */
async function setOther(design: Design, { id: tableId }: TableModel, id: string, next: (now: Filters) => Filters): Promise<void> {
  const other = (await design.model()).fieldById.get(id)?.field;
  if (!other) return;
  const before = { rules: other.rules, conditions: other.conditions };
  const after = next(before);
  await setField(design.tx, id, after);
  await design.log({ tableId, fieldId: id, op: 'field_changed', name: other.title, before, after });
}
