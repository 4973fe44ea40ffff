import type { FastifyInstance } from 'fastify';
import { mayOnSite } from '../../../../contract/permissions';
import { resourceLibraryEndpoints as endpoints } from '../../../../contract/resources/library';
import type { ResourceUsage } from '../../../../contract/resources/library';
import type { Context } from '../../../context';
import { route } from '../../../http/route';
import type { CallOf, ResponseOf } from '../../../http/route';
import { countUses, recordUses, tablesUsing } from '../../resources';
import { grantOf, readerOf } from '../core/access';
import { siteModel } from '../core/model';
import type { TableModel } from '../core/model';
import { labelAt } from '../core/read/label';
import { mayRead } from '../core/read/links';
import { fromTable, isLive, readableFields, readGrant } from '../core/read/readContext';
import { asking } from '../core/read/run';
import { newReadContext } from '../core/read/statement';
import type { TableContext } from '../core/tableContext';
import { registerReplacing } from './replaceResources';

/** Most places that a response names. */
const mostNamed = 200;

type TableUses = { readonly uses: ResourceUsage[]; readonly visible: number };

/** Uses of resources in the records of a table that the reader may see: in the bin only for those who may restore them. */
async function usesInTable(ctx: Context, context: TableContext, ids: readonly string[]): Promise<TableUses> {
  const { table, model, reader } = context;
  const scope = await newReadContext(ctx, context);
  if (!readGrant(scope).allowed) return { uses: [], visible: 0 };
  const { row, params } = scope;
  const deletion = grantOf(table, reader, 'delete');
  const inBin = deletion.allowed ? (deletion.filter ? scope.compilers.rule(scope, deletion.filter) : 'TRUE') : 'FALSE';
  const fields = new Map(readableFields(scope).map(({ id, title }) => [id, title]));
  const label = labelAt(scope);
  const used = recordUses(params.bind(model.siteId, 'text'), params.bind(table.id, 'text'), params.bind(ids, 'uuid[]'));
  const found = await asking(ctx)(
    `SELECT u.resource_id, u.place, ${row}.id, ${label.sql}, ${row}.deleted_at IS NOT NULL, count(*) OVER ()
     FROM ${used} u JOIN ${fromTable(scope)} ON ${row}.id = u.source_id::uuid
     WHERE u.place = ANY(${params.bind([...fields.keys()], 'text[]')}) AND ${mayRead(scope)} AND (${isLive(scope)} OR ${inBin})
     ORDER BY ${row}.deleted_at IS NOT NULL, ${row}.ord, ${row}.id, u.place LIMIT ${params.bind(mostNamed, 'int')}`,
    params.values,
  );
  const uses = found.map(([resourceId, fieldId, recordId, name, deleted]): ResourceUsage => ({
    resourceId: resourceId ?? '',
    tableId: table.id,
    tableTitle: table.title,
    fieldId: fieldId ?? '',
    fieldTitle: fields.get(fieldId ?? '') ?? '',
    recordId: recordId ?? '',
    label: label.show(name ?? null),
    deleted: deleted === 't',
  }));
  return { uses, visible: Number(found[0]?.[5] ?? 0) };
}

/**
 * Where resources are used. Of places that the reader may not see (another table, a record or field that a rule hides, a field in the bin) only the number is
 * returned, so that nobody removes a resource that somebody else needs without noticing.
 */
async function resourceUses(ctx: Context, call: CallOf<typeof endpoints.resourceUses>): Promise<ResponseOf<typeof endpoints.resourceUses>> {
  const { site, session, body } = call;
  const { db } = ctx.postgres;
  const total = await countUses(db, site.id, body.ids);
  const readsRecords = mayOnSite(site.role, 'tables.use') && (session.token === null || session.token.scopes.includes('tables:read'));
  if (total === 0 || !readsRecords) return { uses: [], visible: 0, total };
  const model = await siteModel(ctx, site.id, site.contentRevision);
  const using = new Set(await tablesUsing(db, site.id, body.ids));
  const context = { model, reader: readerOf(call), timeZone: site.row.timeZone };
  const lists = await Promise.all(model.tables.filter(({ id }) => using.has(id)).map((table: TableModel) => usesInTable(ctx, { ...context, table }, body.ids)));
  return { uses: lists.flatMap(({ uses }) => uses).slice(0, mostNamed), visible: lists.reduce((sum, { visible }) => sum + visible, 0), total };
}

export function registerResourceUses(app: FastifyInstance, ctx: Context): void {
  route(app, ctx, endpoints.resourceUses, (call) => resourceUses(ctx, call));
  registerReplacing(app, ctx);
}
