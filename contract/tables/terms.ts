/**
 * Words of the content tables: kinds of fields, operators, limits. No schema of a call stands here, so that the console may know
 * them without zod's schemas of everything else.
 */

/** How PostgreSQL keeps the value of a field; `none`: the value is made when reading, or lies in a table of links. */
export const columnKinds = ['text', 'bigint', 'numeric', 'boolean', 'date', 'time', 'timestamptz', 'text[]', 'uuid', 'uuid[]', 'jsonb', 'none'] as const;
export type ColumnKind = (typeof columnKinds)[number];

/**
 * Every type of field, with its column. What a value looks like in JSON (empty is always null, and an empty text or list is empty):
 *   text, longText, markdown, richText (HTML, held to an allowlist), email, url, phone, slug, color (`#rrggbb`)  text
 *   password      written as text, kept as a hash; read as true (there is one) or null
 *   integer, rating, duration (whole seconds), autonumber   a whole number within ±(2⁵³ − 1)
 *   number, currency, percent   a decimal number as text, exactly (`"12.50"`; a JSON number is accepted too); 12.5 is 12.5 %
 *   switch        true or false
 *   date `YYYY-MM-DD` · time `HH:MM:SS` · datetime ISO 8601 in UTC
 *   select        id of a choice; multiSelect, tags   a list of texts (ids of choices; any texts)
 *   geo           `{ lat, lng }` in degrees
 *   user          id of a person; json any JSON; repeater a list of objects by `options.items`
 *   file, image, svg, video   a list of `{ url, name?, alt? }`
 *   relation      id of a record of another table (many to one); relations a list of ids (many to many)
 *   inverse       ids of records that point here through `options.of`; written only where `of` is a `relations` field
 *   lookup, rollup, formula, button   made when reading
 */
export const columnOf = {
  text: 'text',
  longText: 'text',
  markdown: 'text',
  richText: 'text',
  email: 'text',
  url: 'text',
  phone: 'text',
  slug: 'text',
  color: 'text',
  password: 'text',
  integer: 'bigint',
  rating: 'bigint',
  duration: 'bigint',
  autonumber: 'bigint',
  number: 'numeric',
  currency: 'numeric',
  percent: 'numeric',
  switch: 'boolean',
  date: 'date',
  time: 'time',
  datetime: 'timestamptz',
  select: 'text',
  multiSelect: 'text[]',
  tags: 'text[]',
  geo: 'jsonb',
  user: 'uuid',
  file: 'jsonb',
  image: 'jsonb',
  svg: 'jsonb',
  video: 'jsonb',
  json: 'jsonb',
  repeater: 'jsonb',
  relation: 'uuid',
  relations: 'none',
  inverse: 'none',
  lookup: 'none',
  rollup: 'none',
  formula: 'none',
  button: 'none',
} as const satisfies Record<string, ColumnKind>;
export type FieldType = keyof typeof columnOf;
export const fieldTypes = Object.keys(columnOf) as [FieldType, ...FieldType[]];

/** Written by nobody: made when reading. `autonumber` is filled when a record is made. */
export const computedTypes = ['lookup', 'rollup', 'formula', 'button', 'autonumber'] as const satisfies readonly FieldType[];
export const isComputed = (type: FieldType): boolean => (computedTypes as readonly FieldType[]).includes(type);
/** May have a value of its own in each language. */
export const localizableTypes = ['text', 'longText', 'markdown', 'richText', 'url', 'slug'] as const satisfies readonly FieldType[];
export const isLocalizable = (type: FieldType): boolean => (localizableTypes as readonly FieldType[]).includes(type);
/** Found by the search of a table, unless the field says otherwise. */
export const searchableTypes = [
  'text',
  'longText',
  'markdown',
  'richText',
  'email',
  'url',
  'phone',
  'slug',
  'tags',
  'select',
  'multiSelect',
] as const satisfies readonly FieldType[];
export const isSearchable = (type: FieldType): boolean => (searchableTypes as readonly FieldType[]).includes(type);
/** May be unique. */
export const uniqueTypes = [
  'text',
  'email',
  'url',
  'phone',
  'slug',
  'integer',
  'number',
  'date',
  'datetime',
  'relation',
  'user',
] as const satisfies readonly FieldType[];
export const canBeUnique = (type: FieldType): boolean => (uniqueTypes as readonly FieldType[]).includes(type);
export const canBeIndexed = (type: FieldType): boolean => columnOf[type] !== 'none' && columnOf[type] !== 'jsonb' && type !== 'password';

/** What a formula, lookup or rollup yields; also what decides the operators of a filter. */
export const valueKinds = ['text', 'number', 'boolean', 'date', 'datetime', 'time', 'list', 'record', 'records', 'object'] as const;
export type ValueKind = (typeof valueKinds)[number];
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
/** Of a stored field; formulas, lookups and rollups say it themselves (`TableField.yields`). */
export const kindOf = (type: FieldType): ValueKind => {
  const column = columnOf[type];
  return column === 'none' ? 'records' : kindOfColumn[column];
};

/**
 * Operators of a condition. `within` and the values of dates understand `$now`, `$today`, `$now-7d` (units m h d w M y) and ranges by name;
 * `$user` is the reader. Comparison with nothing: `ne`, `nin`, `notContains`, `hasNone`, `none` hold for
 * empty values too; all others but `empty` do not. A day compared with a moment is the whole day (`lte` includes it): `filterDates.ts`.
 */
export const filterOps = [
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'between',
  'in',
  'nin',
  'contains',
  'notContains',
  'starts',
  'ends',
  'empty',
  'notEmpty',
  'hasAny',
  'hasAll',
  'hasNone',
  'within',
  'some',
  'none',
] as const;
export type FilterOp = (typeof filterOps)[number];
export const opsOf: Record<ValueKind, readonly FilterOp[]> = {
  text: ['contains', 'notContains', 'eq', 'ne', 'in', 'nin', 'starts', 'ends', 'empty', 'notEmpty'],
  number: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'between', 'in', 'nin', 'empty', 'notEmpty'],
  boolean: ['eq', 'ne', 'empty', 'notEmpty'],
  date: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'between', 'within', 'empty', 'notEmpty'],
  datetime: ['gt', 'gte', 'lt', 'lte', 'between', 'within', 'empty', 'notEmpty'],
  time: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'between', 'empty', 'notEmpty'],
  list: ['hasAny', 'hasAll', 'hasNone', 'empty', 'notEmpty'],
  record: ['eq', 'ne', 'in', 'nin', 'empty', 'notEmpty', 'some', 'none'],
  records: ['hasAny', 'hasAll', 'hasNone', 'empty', 'notEmpty', 'some', 'none'],
  object: ['empty', 'notEmpty'],
};
/** Ranges by name for `within`, in the site's zone; a week begins on Monday. `last7` ends today. */
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

/** What every record has besides its fields; used like fields in filters, sorts and columns. */
export const systemFields = ['$id', '$n', '$state', '$createdAt', '$createdBy', '$updatedAt', '$updatedBy', '$publishedAt', '$publishAt'] as const;
export type SystemField = (typeof systemFields)[number];
export const systemKinds: Record<SystemField, ValueKind> = {
  $id: 'record',
  $n: 'number',
  $state: 'text',
  $createdAt: 'datetime',
  $createdBy: 'record',
  $updatedAt: 'datetime',
  $updatedBy: 'record',
  $publishedAt: 'datetime',
  $publishAt: 'datetime',
};

/** `changed`: published, with changes that are not. Tables without drafts have only `published`. */
export const recordStates = ['draft', 'published', 'changed'] as const;
export type RecordState = (typeof recordStates)[number];

/** `kind`: `singleton` holds exactly one record. */
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

/** From where a batch of changes came. */
export const batchDoors = ['console', 'paste', 'bulk', 'import', 'api', 'undo', 'redo', 'schedule', 'convert', 'template', 'form'] as const;
export type BatchDoor = (typeof batchDoors)[number];

/** First parts of the actions of the audit log that concern content tables. */
export const tableAuditKinds = ['table', 'webhook'] as const;

/** Rules of who may do what with records: actions, and the roles they are given to (administrators of a site may everything). `public`: anybody, of what is published. */
export const recordActions = ['read', 'create', 'update', 'delete', 'publish'] as const;
export type RecordAction = (typeof recordActions)[number];
export const ruleRoles = ['editor', 'analyst', 'support', 'viewer', 'public'] as const;
export type RuleRole = (typeof ruleRoles)[number];
/** Where no rule stands: editors edit, everybody on the site reads, the public sees nothing. */
export const allowedByDefault = (role: RuleRole, action: RecordAction): boolean => role === 'editor' || (role !== 'public' && action === 'read');

export const tableLimits = {
  tables: 200,
  fields: 500,
  /** Sections of a form's layout. */
  sections: 30,
  indexes: 24,
  /** Records of one write. */
  batch: 1000,
  /** Bytes of one record as JSON, and of one text value. */
  recordBytes: 1_048_576,
  textBytes: 1_000_000,
  conditions: 50,
  depth: 4,
  sorts: 5,
  groups: 3,
  choices: 500,
  /** Rows of one page of records. */
  page: 1000,
  /** Counting stops here and says "more than". */
  count: 10_000,
  /** Days that a deleted field, table or the old column of a conversion is kept. */
  keepDays: 30,
  /** Days that changes of records can be seen and undone. */
  historyDays: 365,
  nameLength: 100,
  keyLength: 63,
  list: 500,
  links: 1000,
} as const;

/** Language tag of a value, and names in the API. A key never looks like an id. */
export const keyPattern = /^(?![ft]_[a-z2-7]{12}$)[a-z][a-z0-9_]{0,62}$/;
export const tableIdPattern = /^t_[a-z2-7]{12}$/;
export const fieldIdPattern = /^f_[a-z2-7]{12}$/;
