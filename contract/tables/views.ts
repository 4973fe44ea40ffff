import { z } from 'zod';
import { viewCalls } from './calls';
import { endpoint } from '../endpoint';
import { RecordFilterSchema, RecordSortSchema } from './recordFilter';
import { SiteId } from '../sites/schemas';
import { aggregates, tableLimits, viewKinds } from './terms';
import { T, TableRef } from './schemas';
import { rowId, safeName, safeText } from '../text';

/** A saved view of a table. `locked`: shared, changed by administrators only. */
export const viewScopes = ['personal', 'shared', 'locked'] as const;
export const ViewQuery = z.strictObject({
  filter: RecordFilterSchema.nullable().default(null),
  sort: z.array(RecordSortSchema).max(tableLimits.sorts).default([]),
  group: z.array(z.string().max(70)).max(tableLimits.groups).default([]),
  /** Visible columns in order; null: all that are not hidden. */
  columns: z
    .array(
      z.strictObject({
        field: z.string().max(64),
        width: z.int().min(40).max(1200).optional(),
        pinned: z.boolean().optional(),
        aggregate: z.enum(aggregates).optional(),
      }),
    )
    .max(tableLimits.fields)
    .nullable()
    .default(null),
  rowHeight: z.enum(['short', 'medium', 'tall']).default('short'),
  /** Gallery: image; kanban: the selection whose choices are columns; calendar: the date, and its end. */
  cover: z.string().max(64).nullable().default(null),
  stack: z.string().max(64).nullable().default(null),
  date: z.string().max(64).nullable().default(null),
  dateEnd: z.string().max(64).nullable().default(null),
  /** Colours rows by a choice of this selection. */
  colorBy: z.string().max(64).nullable().default(null),
  /** Form: texts above and after it, and whether the public may fill it in. */
  formTitle: safeText(200).default(''),
  formNote: safeText(2000).default(''),
  formThanks: safeText(2000).default(''),
});
export type ViewQuery = z.output<typeof ViewQuery>;
export const RecordView = z.object({
  id: z.uuid(),
  tableId: z.string(),
  title: z.string(),
  kind: z.enum(viewKinds),
  scope: z.enum(viewScopes),
  own: z.boolean(),
  position: z.int(),
  query: ViewQuery,
  revision: z.int(),
});
export type RecordView = z.infer<typeof RecordView>;
export const ViewInput = z.strictObject({ title: safeName(60), kind: z.enum(viewKinds), scope: z.enum(viewScopes).default('shared'), query: ViewQuery });
const read = { access: { site: 'tables.use' }, token: 'tables:read' } as const;
const write = { access: { site: 'tables.use' }, token: 'tables:write' } as const;
const V = z.object({ siteId: SiteId, table: TableRef, view: rowId });
export const viewEndpoints = {
  views: endpoint(viewCalls.views, {
    ...read,
    summary: 'Saved views of a table: the shared ones and one’s own',
    params: T,
    response: z.array(RecordView),
    errors: ['not_found', 'forbidden'],
  }),
  addView: endpoint(viewCalls.addView, {
    ...write,
    summary: 'Save a view',
    params: T,
    body: ViewInput,
    response: RecordView,
    errors: ['not_found', 'forbidden', 'invalid_fields', 'conflict'],
  }),
  changeView: endpoint(viewCalls.changeView, {
    ...write,
    ifMatch: 'required',
    summary: 'Change a view (If-Match: revision)',
    params: V,
    body: z.strictObject({
      title: safeName(60).optional(),
      kind: z.enum(viewKinds).optional(),
      scope: z.enum(viewScopes).optional(),
      query: ViewQuery.optional(),
      position: z.int().min(0).max(1000).optional(),
    }),
    response: RecordView,
    errors: ['not_found', 'forbidden', 'invalid_fields', 'stale_revision'],
  }),
  removeView: endpoint(viewCalls.removeView, {
    ...write,
    summary: 'Remove a view with its public links; it can be restored for an hour',
    params: V,
    errors: ['not_found', 'forbidden'],
  }),
  restoreView: endpoint(viewCalls.restoreView, {
    ...write,
    summary: 'Restore a removed view with its id, its place and its public links',
    params: V,
    response: RecordView,
    errors: ['not_found', 'forbidden', 'conflict'],
  }),
} as const;
