/** Terms of content tables: field types, operators, limits. Contains no call schemas, so that the console can import it without zod. */

import { columnOf } from './fieldTypes';
import type { FieldType } from './fieldTypes';
import type { ValueKind } from './filterTerms';

/** How PostgreSQL stores the value of a field; `none`: computed when read, or stored in a link table. */
export const columnKinds = ['text', 'bigint', 'numeric', 'boolean', 'date', 'time', 'timestamptz', 'text[]', 'uuid', 'uuid[]', 'jsonb', 'none'] as const;
export type ColumnKind = (typeof columnKinds)[number];

export { canBeIndexed, canBeUnique, columnOf, fieldTypes, isComputed, isLocalizable, isSearchable } from './fieldTypes';
export type { FieldType } from './fieldTypes';
export { filterOps, opsOf, systemFields, systemKinds, valueKinds } from './filterTerms';
export type { FilterOp, SystemField, ValueKind } from './filterTerms';

const kindOfColumn: Record<Exclude<ColumnKind, 'none'>, ValueKind> = {
  text: 'text',
  bigint: 'number',
  numeric: 'number',
  boolean: 'boolean',
  date: 'date',
  time: 'time',
  timestamptz: 'datetime',
  'text[]': 'list',
  'uuid[]': 'records',
  uuid: 'record',
  jsonb: 'object',
};
/** Value kind of a stored field; formulas, lookups and rollups have their own (`TableField.yields`). */
export const kindOf = (type: FieldType): ValueKind => {
  const column = columnOf[type];
  return column === 'none' ? 'records' : kindOfColumn[column];
};

/** Named ranges for `within`, in the site's zone; weeks start on Monday. `last7` ends today. */
export const dateRanges = [
  'today',
  'yesterday',
  'tomorrow',
  'thisWeek',
  'lastWeek',
  'nextWeek',
  'thisMonth',
  'lastMonth',
  'nextMonth',
  'thisYear',
  'last7',
  'last30',
  'last90',
  'next7',
  'next30',
] as const;
export type DateRange = (typeof dateRanges)[number];

/** `changed`: published, with unpublished changes. Tables without drafts only have `published`. */
export const recordStates = ['draft', 'published', 'changed'] as const;
export type RecordState = (typeof recordStates)[number];

/** `kind`: `singleton` has exactly one record. */
export const tableKinds = ['collection', 'singleton'] as const;
export const viewKinds = ['grid', 'gallery', 'kanban', 'calendar', 'form'] as const;
export type ViewKind = (typeof viewKinds)[number];

export const aggregates = ['count', 'filled', 'empty', 'distinct', 'sum', 'avg', 'min', 'max', 'median'] as const;
export type Aggregate = (typeof aggregates)[number];
export const aggregatesOf = (kind: ValueKind): readonly Aggregate[] => {
  if (kind === 'number') return aggregates;
  if (kind === 'date' || kind === 'datetime' || kind === 'time') return ['count', 'filled', 'empty', 'distinct', 'min', 'max'];
  if (kind === 'object' || kind === 'records' || kind === 'list') return ['count', 'filled', 'empty'];
  return ['count', 'filled', 'empty', 'distinct'];
};

/** Origins of change batches. */
export const batchOrigins = [
  'console',
  'paste',
  'bulk',
  'import',
  'api',
  'undo',
  'redo',
  'schedule',
  'convert',
  'template',
  'form',
  'release',
  'website',
] as const;
export type BatchOrigin = (typeof batchOrigins)[number];

/** Prefixes of audit log actions that concern content tables. */
export const tableAuditKinds = ['table', 'webhook'] as const;

/** Access rules: actions on records, and roles (administrators of a site may do everything). `public`: everybody, on published records. */
export const recordActions = ['read', 'create', 'update', 'delete', 'publish'] as const;
export type RecordAction = (typeof recordActions)[number];
export const ruleRoles = ['editor', 'analyst', 'support', 'viewer', 'public'] as const;
export type RuleRole = (typeof ruleRoles)[number];
/** Without a rule: editors edit, everybody on the site reads, the public sees nothing. */
export const allowedByDefault = (role: RuleRole, action: RecordAction): boolean => role === 'editor' || (role !== 'public' && action === 'read');

export { tableLimits } from './limits';

/** Language tag of a value, and names in the API. A key never looks like an id. */
export const keyPattern = /^(?![ft]_[a-z2-7]{12}$)[a-z][a-z0-9_]{0,62}$/;
export const tableIdPattern = /^t_[a-z2-7]{12}$/;
export const fieldIdPattern = /^f_[a-z2-7]{12}$/;
