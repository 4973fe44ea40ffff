import { z } from 'zod';
import { AuditPage, auditPaging } from '../audit/schemas';
import { tableAccessCalls } from './calls';
import { endpoint } from '../endpoint';
import { FilterParam, RecordFilterSchema, SortParam } from './recordFilter';
import { RecordPage, Values } from './records';
import { SiteId } from '../sites/schemas';
import { recordActions, ruleRoles, tableAuditKinds, tableLimits } from './terms';
import { LocaleTag } from '../text';
import { FieldId, P, T, TableRef } from './schemas';

/** Access rules: what each role may do with the records of a table, and what the public may read. */

const ruleParts = {
  role: z.enum(ruleRoles),
  action: z.enum(recordActions),
  allowed: z.boolean(),
};
/** `fields`: null covers all except the sensitive ones (editors: all). `filter`: only matching records; `$user` is the reader. */
export const RuleInput = z.strictObject({
  ...ruleParts,
  fields: z.array(TableRef).max(tableLimits.fields).nullable().default(null),
  filter: RecordFilterSchema.nullable().default(null),
});
export type RuleInput = z.input<typeof RuleInput>;
export const TableRule = z.object({
  ...ruleParts,
  /** Ids of existing fields. */
  fields: z.array(FieldId).nullable(),
  filter: RecordFilterSchema.nullable(),
  /** false: no rule exists, this is the default. */
  explicit: z.boolean(),
});
export type TableRule = z.infer<typeof TableRule>;
/** Every role with every action (`public`: only reading). Administrators of a site may do everything and have no rules. */
export const TableRules = z.object({ /** Revision of the table. */ revision: z.int(), rules: z.array(TableRule) });
export type TableRules = z.infer<typeof TableRules>;

/** A table as one role sees it. */
export const RulesPreview = z.object({
  role: z.enum(ruleRoles),
  /** Allowed actions, with the fields that each covers. */
  may: z.array(z.object({ action: z.enum(recordActions), fields: z.array(FieldId), /** Limited to some records. */ limited: z.boolean() })),
  /** The first 20 records that the role sees, limited to what it sees; values by field id. */
  page: RecordPage.pick({ rows: true, labels: true, total: true, more: true }),
});
export type RulesPreview = z.infer<typeof RulesPreview>;

/** A published record as the public reads it: values by key, and by each alias of a field. */
export const ContentItem = z.object({
  id: z.uuid(),
  n: z.int(),
  values: Values,
  locales: z.array(z.string()),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  publishedAt: z.iso.datetime().nullable(),
});
export type ContentItem = z.infer<typeof ContentItem>;
/** Records requested with `expand`, by id. */
const included = z.record(z.string(), ContentItem);
export const ContentPage = z.object({
  rows: z.array(ContentItem),
  included,
  /** Cursor of the next page; null at the end. */
  next: z.string().nullable(),
  /** null unless requested; `more`: there are more than `total`. */
  total: z.int().nullable(),
  more: z.boolean(),
});
export type ContentPage = z.infer<typeof ContentPage>;

/** Maximum number of records on a page of the content API, and of included records. */
export const contentLimits = { page: 100, included: 1000 } as const;
const contentQuery = {
  /** Untranslated values fall back to the table's first language. */
  locale: LocaleTag.optional(),
  /** Keys, aliases or ids; values are returned under the requested names. `-`: none. */
  fields: z.string().max(20_000).optional(),
  /** Link fields whose targets are returned in `included`. */
  expand: z.string().max(2000).optional(),
};
const C = z.object({ siteId: SiteId, table: TableRef });
const content = { access: 'public', ratePerMinute: 1200 } as const;
const design = { access: { site: 'tables.design' } } as const;

export const tableAccessEndpoints = {
  tableRules: endpoint(tableAccessCalls.tableRules, {
    ...design,
    token: 'tables:design',
    summary: 'Who may do what with the records of a table',
    params: T,
    response: TableRules,
    errors: ['not_found'],
  }),
  setTableRules: endpoint(tableAccessCalls.setTableRules, {
    ...design,
    token: 'tables:design',
    ifMatch: 'required',
    summary: 'Replace the rules of a table (If-Match: revision of the table); absent rules are as by default',
    params: T,
    body: z.strictObject({ rules: z.array(RuleInput).max(ruleRoles.length * recordActions.length) }),
    response: TableRules,
    errors: ['not_found', 'invalid_fields', 'stale_revision', 'conflict'],
    bodyLimit: 512 * 1024,
  }),
  previewRules: endpoint(tableAccessCalls.previewRules, {
    ...design,
    token: 'tables:read',
    summary: 'A table as one role has it: what it may do, and the first records that it sees',
    params: T,
    query: z.object({ role: z.enum(ruleRoles), locale: LocaleTag.optional() }),
    response: RulesPreview,
    errors: ['not_found', 'too_slow'],
  }),
  contentList: endpoint(tableAccessCalls.contentList, {
    ...content,
    summary: 'Published records of a table that is open to everybody; weak ETag, 304 on If-None-Match',
    params: C,
    query: z.object({
      ...contentQuery,
      filter: FilterParam.optional(),
      /** Search terms, in every searchable field. */
      q: z.string().trim().max(200).optional(),
      /** Only records with this slug. */
      slug: z.string().min(1).max(1000).optional(),
      sort: SortParam.optional(),
      cursor: z.string().max(4000).optional(),
      limit: z.coerce.number().int().min(1).max(contentLimits.page).default(50),
      count: z.enum(['none', 'capped']).default('none'),
    }),
    response: ContentPage,
    errors: ['not_found', 'invalid_fields', 'too_slow'],
  }),
  contentItem: endpoint(tableAccessCalls.contentItem, {
    ...content,
    summary: 'One published record, by its id or its slug; weak ETag, 304 on If-None-Match',
    params: C.extend({ id: z.string().min(1).max(1000) }),
    query: z.object(contentQuery),
    response: ContentItem.extend({ included }),
    errors: ['not_found', 'invalid_fields', 'too_slow'],
  }),
  tableAudit: endpoint(tableAccessCalls.tableAudit, {
    ...design,
    token: 'tables:design',
    summary: 'What happened to the tables, rules and webhooks of this site, latest first; where people were is for who may read the whole log',
    params: P,
    query: z.object({
      kind: z.enum(tableAuditKinds).optional(),
      ...auditPaging,
    }),
    response: AuditPage,
  }),
  siteOpenApi: endpoint(tableAccessCalls.siteOpenApi, {
    access: { site: 'tables.use' },
    token: 'tables:read',
    summary: 'OpenAPI 3.1 of the records of this site, as far as the caller may use them',
    params: P,
    kind: 'file',
  }),
} as const;
