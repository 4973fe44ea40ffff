import { z } from 'zod';
import type { Endpoint } from '../../../../contract/endpoint';
import { recordEndpoints } from '../../../../contract/tables/recordEndpoints';
import { Values } from '../../../../contract/tables/records';
import { tableAccessEndpoints } from '../../../../contract/tables/access';
import type { RecordAction } from '../../../../contract/tables/terms';
import { documentParts, openApiPath, operationOf, withSharedSchemas } from '../../../http/openapi';
import { grantOf } from '../core/access';
import type { Reader } from '../core/access';
import type { SiteModel, TableModel } from '../core/model';
import { anybody, openFields } from './content';
import { changeSchema, inputSchema, valuesSchema, writtenFields } from './fieldSchemas';
import type { Schema } from './fieldSchemas';

const e = recordEndpoints;
/** Calls about the records of one table, with the required permission; `*`: only for tables with drafts. */
const calls: readonly (readonly [Endpoint, RecordAction, '*'?])[] = [
  [e.records, 'read'],
  [e.record, 'read'],
  [e.aggregate, 'read'],
  [e.addRecords, 'create'],
  [e.changeRecords, 'update'],
  [e.changeRecord, 'update'],
  [e.trashRecords, 'delete'],
  [e.restoreRecords, 'delete'],
  [e.publishRecords, 'publish', '*'],
  [e.unpublishRecords, 'publish', '*'],
];
const contentCalls: readonly Endpoint[] = [tableAccessEndpoints.contentList, tableAccessEndpoints.contentItem];

const withoutDialect = ({ $schema: _dialect, ...schema }: Record<string, unknown>): string => JSON.stringify(schema);
/** JSON Schema of the contract's `Values`: wherever it occurs, a table's own schema replaces it. */
const anyValues = new Set((['input', 'output'] as const).map((io) => withoutDialect(z.toJSONSchema(Values, { io, unrepresentable: 'any' }))));

function replaced(node: unknown, ref: string): unknown {
  if (Array.isArray(node)) return node.map((one) => replaced(one, ref));
  if (typeof node !== 'object' || node === null) return node;
  if (anyValues.has(JSON.stringify(node))) return { $ref: `#/components/schemas/${ref}` };
  // Included records belong to other tables.
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, key === 'included' ? (value as unknown) : replaced(value, ref)]));
}

/** The operation of a call for one table: with its path filled in, and values of its fields. */
function operationFor(endpoint: Endpoint, table: TableModel, read: string, written: string): Schema {
  const { parameters, requestBody, responses, ...rest } = operationOf(endpoint);
  return {
    ...rest,
    operationId: `${table.key}.${endpoint.id}`,
    tags: [table.title],
    parameters: parameters.filter(({ name, in: place }) => place !== 'path' || (name !== 'siteId' && name !== 'table')),
    ...(requestBody ? { requestBody: replaced(requestBody, written) } : {}),
    responses: replaced(responses, read),
  };
}
const pathFor = (endpoint: Endpoint, siteId: string, table: TableModel): string =>
  openApiPath(endpoint.path).replace('{siteId}', siteId).replace('{table}', table.key);

/**
 * OpenAPI 3.1 document of a site's records: generated from the calls of the contract and the definitions that `reader` may see. Names tables and fields
 * by key.
 */
export function siteDocument(model: SiteModel, reader: Reader, siteName: string): Schema {
  const paths: Record<string, Record<string, unknown>> = {};
  const schemas: Record<string, unknown> = {};
  const add = (endpoint: Endpoint, table: TableModel, read: string, written: string): void => {
    const path = pathFor(endpoint, model.siteId, table);
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationFor(endpoint, table, read, written) };
  };
  for (const table of model.tables) {
    const grant = (action: RecordAction) => grantOf(table, reader, action);
    if (!grant('read').allowed) continue;
    const name = (part: string): string => `${table.key}.${part}`;
    schemas[name('values')] = valuesSchema(
      table,
      table.fields.filter((field) => field.problem === null && grant('read').covers(field)),
    );
    if (grant('create').allowed) schemas[name('new')] = inputSchema(table, writtenFields(table, grant('create')));
    if (grant('update').allowed) schemas[name('change')] = changeSchema(table, writtenFields(table, grant('update')));
    for (const [endpoint, action, needs] of calls)
      if (grant(action).allowed && (needs === undefined || table.drafts)) add(endpoint, table, name('values'), name(action === 'create' ? 'new' : 'change'));
    if (!grantOf(table, anybody, 'read').allowed) continue;
    schemas[name('content')] = valuesSchema(table, openFields(table), 'public');
    for (const endpoint of contentCalls) add(endpoint, table, name('content'), name('content'));
  }
  const shared = withSharedSchemas(paths, { ...documentParts.components.schemas, ...schemas });
  return {
    openapi: '3.1.0',
    info: { title: siteName, version: String(model.revision), description: documentParts.description },
    paths: shared.paths,
    components: { ...documentParts.components, schemas: shared.schemas },
  };
}
