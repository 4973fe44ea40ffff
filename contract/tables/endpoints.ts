import { z } from 'zod';
import { tableCalls } from './calls';
import { endpoint } from '../endpoint';
import { SiteId } from '../sites/schemas';
import { tableLimits } from './terms';
import {
  ContentTable,
  FieldChange,
  FieldId,
  FieldInput,
  P,
  SchemaChange,
  SchemaDifference,
  SchemaFile,
  T,
  TableChange,
  TableField,
  TableInput,
  TableRef,
  Usage,
} from './schemas';
import { safeName } from '../text';

const F = z.object({ siteId: SiteId, table: TableRef, field: TableRef });
const read = { access: { site: 'tables.use' }, token: 'tables:read' } as const;
const design = { access: { site: 'tables.design' }, token: 'tables:design' } as const;
const bad = ['invalid_fields', 'stale_revision', 'name_taken', 'conflict', 'not_found'] as const;
const mid = 512 * 1024;

export const tableEndpoints = {
  tables: endpoint(tableCalls.tables, {
    ...read,
    summary: 'Content tables with their fields',
    params: P,
    query: z.object({ deleted: z.stringbool().default(false) }),
    response: z.array(ContentTable),
  }),
  table: endpoint(tableCalls.table, {
    ...read,
    summary: 'One table, by id, key or old key',
    params: T,
    response: ContentTable,
    errors: ['not_found'],
  }),
  addTable: endpoint(tableCalls.addTable, {
    ...design,
    summary: 'Make a table, from nothing or a template',
    params: P,
    body: TableInput,
    response: ContentTable,
    errors: bad,
    bodyLimit: mid,
  }),
  changeTable: endpoint(tableCalls.changeTable, {
    ...design,
    ifMatch: 'required',
    summary: 'Change a table (If-Match: revision)',
    params: T,
    body: TableChange,
    response: ContentTable,
    errors: bad,
    bodyLimit: mid,
  }),
  removeTable: endpoint(tableCalls.removeTable, {
    ...design,
    ifMatch: 'optional',
    summary: 'Move a table to the bin; it can be restored for 30 days',
    params: T,
    errors: bad,
  }),
  restoreTable: endpoint(tableCalls.restoreTable, {
    ...design,
    summary: 'Restore a table from the bin',
    params: T,
    response: ContentTable,
    errors: bad,
  }),
  duplicateTable: endpoint(tableCalls.duplicateTable, {
    ...design,
    summary: 'Copy a table, with its records if requested',
    params: T,
    body: z.strictObject({ title: safeName(tableLimits.nameLength), records: z.boolean().default(false) }),
    response: ContentTable,
    errors: bad,
  }),
  addField: endpoint(tableCalls.addField, {
    ...design,
    ifMatch: 'optional',
    summary: 'Add a field (If-Match: revision of the table)',
    params: T,
    body: FieldInput,
    response: ContentTable,
    errors: bad,
    bodyLimit: mid,
  }),
  changeField: endpoint(tableCalls.changeField, {
    ...design,
    ifMatch: 'required',
    summary: 'Change a field but its type (If-Match: revision of the table)',
    params: F,
    body: FieldChange,
    response: ContentTable,
    errors: bad,
    bodyLimit: mid,
  }),
  removeField: endpoint(tableCalls.removeField, {
    ...design,
    ifMatch: 'optional',
    summary: 'Remove a field; it can be restored with its values for 30 days',
    params: F,
    response: ContentTable,
    errors: bad,
  }),
  restoreField: endpoint(tableCalls.restoreField, {
    ...design,
    ifMatch: 'optional',
    summary: 'Restore a removed field with its values',
    params: F,
    response: ContentTable,
    errors: bad,
  }),
  deletedFields: endpoint(tableCalls.deletedFields, {
    ...read,
    summary: 'Fields in the bin',
    params: T,
    response: z.array(TableField),
    errors: ['not_found'],
  }),
  orderFields: endpoint(tableCalls.orderFields, {
    ...design,
    ifMatch: 'required',
    summary: 'Order the fields (If-Match: revision of the table)',
    params: T,
    body: z.strictObject({ fields: z.array(FieldId).max(tableLimits.fields) }),
    response: ContentTable,
    errors: bad,
  }),
  fieldUsage: endpoint(tableCalls.fieldUsage, {
    ...read,
    summary: 'What uses a field',
    params: F,
    response: z.array(Usage),
    errors: ['not_found'],
  }),
  choiceUses: endpoint(tableCalls.choiceUses, {
    ...design,
    summary: 'Choices of a selection, and how many live records have each',
    params: F,
    response: z.array(z.object({ id: z.string(), records: z.int() })),
    errors: ['not_found', 'invalid_fields'],
  }),
  removeChoice: endpoint(tableCalls.removeChoice, {
    ...design,
    summary: 'Remove a choice of a selection; records that have it get another one, or none. Many records become a job',
    params: F.extend({ choice: z.string().min(1).max(64) }),
    body: z.strictObject({ /** The replacing choice; null: the value is cleared. */ to: z.string().max(64).nullable() }),
    /** Undoing `batchId` also restores the choice; null if no record had it, not even in the bin, or if a job does the work. `moved`: excludes the bin. */
    response: z.object({ batchId: z.uuid().nullable(), moved: z.int(), jobId: z.uuid().nullable(), table: ContentTable }),
    errors: bad,
  }),
  schemaHistory: endpoint(tableCalls.schemaHistory, {
    ...read,
    summary: 'Changes of a table’s definition, newest first',
    params: T,
    response: z.array(SchemaChange),
    errors: ['not_found'],
  }),
  revertSchema: endpoint(tableCalls.revertSchema, {
    ...design,
    summary: 'Undo one change of a definition',
    params: z.object({ siteId: SiteId, table: TableRef, change: z.string().max(40) }),
    response: ContentTable,
    errors: [...bad, 'bad_transition'],
  }),
  exportSchema: endpoint(tableCalls.exportSchema, {
    ...design,
    summary: 'Definitions of all tables, as a file',
    params: P,
    response: SchemaFile,
  }),
  compareSchema: endpoint(tableCalls.compareSchema, {
    ...design,
    summary: 'What a file, or another site of the caller, would change here',
    params: P,
    body: z.strictObject({ file: SchemaFile.optional(), siteId: SiteId.optional() }),
    response: z.array(SchemaDifference),
    errors: bad,
    bodyLimit: 4 * 2 ** 20,
  }),
  applySchema: endpoint(tableCalls.applySchema, {
    ...design,
    summary:
      'Make what is missing here and change what differs; nothing is removed, no type changed. Rights of tables that are here already only where `only` names them (`table.$rights`)',
    params: P,
    body: z.strictObject({ file: SchemaFile.optional(), siteId: SiteId.optional(), only: z.array(z.string().max(130)).max(1000).optional() }),
    response: z.array(SchemaDifference),
    errors: bad,
    bodyLimit: 4 * 2 ** 20,
  }),
} as const;
