import { mayOnSite } from '../../../../contract/permissions';
import type { SchemaChange } from '../../../../contract/tables/schemas';
import { fail } from '../../../http/failure';
import type { Context } from '../../../context';
import { grantOf } from '../core/access';
import type { Reader } from '../core/access';
import type { Db } from '../core/ddl';
import { endedOf, findConversion } from './conversion/queries';
import { isUndoable, startUndo } from './conversion/start';
import { isIndexChange, takeBackIndexes } from './indexes/toggle';
import type { SiteModel, TableModel } from '../core/model';
import type { Design } from './design';
import { applyOrder, applyParts, removeField, restoreField } from './fields';
import * as queries from './queries';
import type { ChangeRecord } from './queries';
import { canTakeBackRights, takeBackRights } from './rights';
import { applyTableParts, removeTable, restoreTable } from './tables';

const most = 500;

/** Whether a change can still be reverted: its object must exist and differ from the previous state. */
function isRevertible(model: SiteModel, table: TableModel, change: ChangeRecord, undoable: string | null): boolean {
  if (change.revertedBy !== null) return false;
  const live = table.fields.some((field) => field.id === change.fieldId);
  const binned = table.deletedFields.some((field) => field.id === change.fieldId);
  const gone = table.deletedAt !== null;
  switch (change.op) {
    case 'table_removed':
      return gone;
    case 'table_added':
    case 'table_restored':
    case 'table_changed':
    case 'fields_ordered':
      return !gone;
    case 'rules_changed':
      return !gone && canTakeBackRights(model, change);
    case 'field_added':
    case 'field_restored':
    case 'field_changed':
      return !gone && live;
    case 'field_removed':
      return !gone && binned;
    // Reverted through the conversion, which has kept the old column.
    case 'field_converted':
      return !gone && live && undoable !== null && change.before['$conversion'] === undoable;
  }
}

/** By field, the last conversion that can be undone, including undos. */
async function undoableOf(db: Db, table: TableModel, now: number): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const one of await endedOf(db, table.id)) {
    const field = table.fields.find((other) => other.id === one.fieldId);
    if (!found.has(one.fieldId) && isUndoable(one, field, now)) found.set(one.fieldId, one.id);
  }
  return found;
}

/** Removes the parts that only serve reverting. */
const shownParts = (parts: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(parts).filter(([name]) => !name.startsWith('$')));

/**
 * Changes of a table's definition, newest first; without those of fields that the reader may not see, and without those of rules unless the reader
 * manages them.
 */
export async function schemaHistory(ctx: Context, model: SiteModel, table: TableModel, reader: Reader): Promise<SchemaChange[]> {
  const { covers } = grantOf(table, reader, 'read');
  const hidden = new Set([...table.fields, ...table.deletedFields].filter((field) => !covers(field)).map((field) => field.id));
  const givesRights = reader.role !== 'public' && mayOnSite(reader.role, 'tables.design');
  const rows = await queries.changesOf(ctx.postgres.db, model.siteId, table.id, most);
  const undoable = await undoableOf(ctx.postgres.db, table, ctx.now());
  return rows
    .filter(({ change }) => (change.op === 'rules_changed' ? givesRights : change.fieldId === null || !hidden.has(change.fieldId)))
    .map(({ change, by }) => ({
      id: String(change.id),
      revision: change.revision,
      op: change.op,
      at: change.at.toISOString(),
      by: by ?? '',
      name: change.name,
      fieldId: change.fieldId,
      before: shownParts(change.before),
      after: shownParts(change.after),
      revertible: isRevertible(model, table, change, undoable.get(change.fieldId ?? '') ?? null),
      reverted: change.revertedBy !== null,
    }));
}

/** Reverts one change, as a new change that can itself be reverted. Throws `bad_transition` if that is no longer possible. */
export async function revertSchema(design: Design, table: TableModel, id: string): Promise<void> {
  const change = /^\d{1,15}$/.test(id) ? await queries.findChange(design.tx, design.siteId, table.id, Number(id)) : null;
  if (!change) return fail('not_found');
  const undoable = await undoableOf(design.tx, table, design.at.getTime());
  if (!isRevertible(await design.model(), table, change, undoable.get(change.fieldId ?? '') ?? null)) return fail('bad_transition');
  const field = table.fields.find((one) => one.id === change.fieldId);
  if (change.op === 'field_converted') {
    // The job that undoes it marks the change.
    const conversion = await findConversion(design.tx, String(change.before['$conversion']));
    return field && conversion
      ? void (await startUndo(design, table, field, conversion, await queries.timeZoneOf(design.tx, design.siteId)))
      : fail('bad_transition');
  }
  if (change.op === 'field_changed' && field && isIndexChange(change.before)) {
    // The job that rebuilds an index marks the change.
    if (await takeBackIndexes(design, table, field, change)) return;
  } else await takeBack(design, table, change);
  await queries.markReverted(design.tx, change.id, design.siteId);
}

/** The properties before a change, keeping as aliases the names used since. */
function withNames(
  now: { readonly key: string; readonly aliases: string[] },
  before: Record<string, unknown>,
): Record<string, unknown> & { aliases: string[] } {
  const aliases = Array.isArray(before['aliases']) ? (before['aliases'] as string[]) : [];
  return { ...before, aliases: [...new Set([...aliases, ...now.aliases, ...('key' in before ? [now.key] : [])])] };
}

async function takeBack(design: Design, table: TableModel, change: ChangeRecord): Promise<void> {
  const field = [...table.fields, ...table.deletedFields].find((one) => one.id === change.fieldId);
  switch (change.op) {
    case 'table_added':
    case 'table_restored':
      return removeTable(design, table);
    case 'table_removed':
      return restoreTable(design, table);
    case 'table_changed':
      return applyTableParts(design, table, withNames(table, change.before));
    case 'rules_changed':
      return takeBackRights(design, table, change);
    case 'fields_ordered': {
      const { order } = change.before;
      return applyOrder(design, table, Array.isArray(order) ? (order as string[]) : []);
    }
    case 'field_added':
    case 'field_restored':
      return field ? removeField(design, table, field) : fail('bad_transition');
    case 'field_removed':
      return field ? restoreField(design, table, field) : fail('bad_transition');
    case 'field_changed':
      return field ? applyParts(design, table, field, withNames(field, change.before)) : fail('bad_transition');
    case 'field_converted':
      return fail('bad_transition');
  }
}
