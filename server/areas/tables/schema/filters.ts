import type { RecordFilter } from '../../../../contract/tables/recordFilter';
import { systemFields } from '../../../../contract/tables/terms';
import type { FieldModel, FieldRecord, SiteModel, TableModel } from '../core/model';
import type { DefinitionErrors } from './definitionErrors';
import type { Candidate } from './options';

type Fields = { readonly find: (ref: string) => Candidate | null };

const isSystem = (name: string): boolean => (systemFields as readonly string[]).includes(name);
const isFilter = (value: unknown): value is RecordFilter => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A filter with fields by id, so that names may change. Unknown names are added to `errors`. */
function byIds(model: SiteModel, fields: Fields, filter: RecordFilter, errors: DefinitionErrors): RecordFilter {
  if ('and' in filter) return { and: filter.and.map((one) => byIds(model, fields, one, errors)) };
  if ('or' in filter) return { or: filter.or.map((one) => byIds(model, fields, one, errors)) };
  if ('not' in filter) return { not: byIds(model, fields, filter.not, errors) };
  if (isSystem(filter.field)) return filter;
  const field = fields.find(filter.field);
  if (!field) {
    errors.add('filter', 'unknown');
    return filter;
  }
  if ((filter.op !== 'some' && filter.op !== 'none') || !isFilter(filter.value)) return { ...filter, field: field.id };
  const there = field.type === 'inverse' ? model.fieldById.get(field.options.of ?? '')?.table : model.byName.get(field.options.to ?? '');
  if (!there) {
    errors.add('filter', 'unknown');
    return filter;
  }
  return { ...filter, field: field.id, value: byIds(model, { find: (ref) => there.byName.get(ref) ?? null }, filter.value, errors) };
}

type Filtered = Pick<FieldRecord, 'rules' | 'conditions'>;
export function resolveFiltersIn(model: SiteModel, fields: Fields, filters: Filtered, errors: DefinitionErrors): Filtered {
  return {
    rules: filters.rules.map((rule, i) => ({ ...rule, filter: byIds(model, fields, rule.filter, errors.within(`rules.${i}.`)) })),
    conditions: filters.conditions.map((one, i) => ({ ...one, filter: byIds(model, fields, one.filter, errors.within(`conditions.${i}.`)) })),
  };
}
/** Rules and conditions of a field of `table`, by ids. */
export const resolveFilters = (model: SiteModel, table: TableModel, filters: Pick<FieldModel, 'rules' | 'conditions'>, errors: DefinitionErrors): Filtered =>
  resolveFiltersIn(model, { find: (ref) => table.byName.get(ref) ?? null }, filters, errors);
/** A filter on records of `table`, by ids; unknown names are added to `errors` as `filter`. */
export const filterByIds = (model: SiteModel, table: TableModel, filter: RecordFilter, errors: DefinitionErrors): RecordFilter =>
  byIds(model, { find: (ref) => table.byName.get(ref) ?? null }, filter, errors);
