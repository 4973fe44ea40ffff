import type { RecordFilter } from '../../../../contract/tables/recordFilter';
import { DefinitionErrors } from '../schema';
import { filterByIds } from '../schema';
import type { Reader } from '../core/access';
import type { FieldModel, SiteModel, TableModel } from '../core/model';

/**
 * The reader for whom messages are built: one with the default rules, which cover everything except sensitive fields. Reading therefore excludes these
 * from values, labels, lookups and formulas.
 */
export const webhookReader: Reader = { role: 'viewer', userId: null };

const unrestrictedModels = new WeakMap<SiteModel, SiteModel>();
/** Definitions with the default rules everywhere. */
export function withoutRules(model: SiteModel): SiteModel {
  const known = unrestrictedModels.get(model);
  if (known) return known;
  const plain = (table: TableModel): TableModel => ({ ...table, rules: [] });
  const tables = model.tables.map(plain);
  const byId = new Map(tables.map((table) => [table.id, table]));
  const unrestricted: SiteModel = {
    ...model,
    tables,
    deletedTables: model.deletedTables.map(plain),
    byName: new Map([...model.byName].map(([name, table]) => [name, byId.get(table.id) ?? table])),
    fieldById: new Map([...model.fieldById].map(([id, { table, field }]) => [id, { table: byId.get(table.id) ?? table, field }])),
  };
  unrestrictedModels.set(model, unrestricted);
  return unrestricted;
}

/** Fields whose values are sent. */
export const sentFields = (table: TableModel): FieldModel[] =>
  table.fields.filter((field) => !field.sensitive && field.type !== 'password' && field.type !== 'button' && field.problem === null);

/**
 * A webhook's filter with fields by id. It is evaluated in memory on what is sent, so it may only use sent fields and no other records: otherwise an
 * error is added to `filter`.
 */
export function webhookFilter(model: SiteModel, table: TableModel, filter: RecordFilter, errors: DefinitionErrors): RecordFilter {
  const fields = sentFields(table);
  const ids = new Set(fields.map((field) => field.id));
  const byName = new Map([...table.byName].filter(([, field]) => ids.has(field.id)));
  const resolved = filterByIds(model, { ...table, fields, byName }, filter, errors);
  if (asksOthers(resolved)) errors.add('filter', 'pattern');
  return resolved;
}

/** Whether everything that a stored filter uses still exists. */
export function filterHolds(model: SiteModel, table: TableModel, filter: RecordFilter): boolean {
  const errors = new DefinitionErrors();
  webhookFilter(model, table, filter, errors);
  return !errors.any;
}

function asksOthers(filter: RecordFilter): boolean {
  if ('and' in filter) return filter.and.some(asksOthers);
  if ('or' in filter) return filter.or.some(asksOthers);
  if ('not' in filter) return asksOthers(filter.not);
  return filter.op === 'some' || filter.op === 'none';
}
