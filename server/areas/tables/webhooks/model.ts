import type { RecordFilter } from '../../../../contract/tables/recordFilter';
import { Faults } from '../schema';
import { filterByIds } from '../schema';
import type { Reader } from '../core/access';
import type { FieldModel, SiteModel, TableModel } from '../core/model';

/**
 * For whom messages are made: somebody who reads every table by the default rules, which is everything but what is sensitive. So the reading of records
 * itself keeps sensitive fields out of values, labels, lookups and formulas.
 */
export const hookReader: Reader = { role: 'viewer', userId: null };

const made = new WeakMap<SiteModel, SiteModel>();
/** Definitions with the default rules everywhere. */
export function asTold(model: SiteModel): SiteModel {
  const known = made.get(model);
  if (known) return known;
  const plain = (table: TableModel): TableModel => ({ ...table, rules: [] });
  const tables = model.tables.map(plain);
  const byId = new Map(tables.map((table) => [table.id, table]));
  const told: SiteModel = {
    ...model,
    tables,
    deletedTables: model.deletedTables.map(plain),
    byName: new Map([...model.byName].map(([name, table]) => [name, byId.get(table.id) ?? table])),
    fieldById: new Map([...model.fieldById].map(([id, { table, field }]) => [id, { table: byId.get(table.id) ?? table, field }])),
  };
  made.set(model, told);
  return told;
}

/** Fields whose values are sent. */
export const toldFields = (table: TableModel): FieldModel[] =>
  table.fields.filter((field) => !field.sensitive && field.type !== 'password' && field.type !== 'button' && field.problem === null);

/**
 * A webhook's filter, its fields by id. It is asked in memory about what is sent, so it may ask neither what is not sent nor about other records:
 * such faults go to `filter`.
 */
export function hookFilter(model: SiteModel, table: TableModel, filter: RecordFilter, faults: Faults): RecordFilter {
  const fields = toldFields(table);
  const ids = new Set(fields.map((field) => field.id));
  const byName = new Map([...table.byName].filter(([, field]) => ids.has(field.id)));
  const kept = filterByIds(model, { ...table, fields, byName }, filter, faults);
  if (asksOthers(kept)) faults.add('filter', 'pattern');
  return kept;
}

/** Whether all that a stored filter asks about is still there. */
export function filterHolds(model: SiteModel, table: TableModel, filter: RecordFilter): boolean {
  const faults = new Faults();
  hookFilter(model, table, filter, faults);
  return !faults.any;
}

function asksOthers(filter: RecordFilter): boolean {
  if ('and' in filter) return filter.and.some(asksOthers);
  if ('or' in filter) return filter.or.some(asksOthers);
  if ('not' in filter) return asksOthers(filter.not);
  return filter.op === 'some' || filter.op === 'none';
}
