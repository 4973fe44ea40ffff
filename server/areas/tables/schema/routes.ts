import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { mayOnSite } from '../../../../contract/permissions';
import { tableEndpoints as endpoints } from '../../../../contract/tables/endpoints';
import type { ContentTable, SchemaFile } from '../../../../contract/tables/schemas';
import type { Context } from '../../../context';
import { fail, failField } from '../../../http/failure';
import { route } from '../../../http/route';
import { grantOf, readerOf, requireGrant } from '../core/access';
import { fieldOf, siteModel, tableOf } from '../core/model';
import type { SiteModel, TableModel } from '../core/model';
import { applySchema } from './apply';
import { designing } from './design';
import type { Design } from './design';
import { designerOf } from './designer';
import type { DesignCall } from './designer';
import { duplicateTable } from './duplicate';
import { addField, changeField, orderFields, removeField, restoreField } from './fields';
import { revertSchema, schemaHistory } from './history';
import { differences, exportedTables, readSchemaFile } from './portable';
import type { FileTable } from './portable';
import { tendRecords } from './rebuild';
import { fieldResponse, tableResponse, tableResponses } from './responses';
import { addTable, changeTable, removeTable, restoreTable } from './tables';
import { usageOf } from './usage';

/** Calls that only add or remove may state the revision that they are based on, which is then enforced. */
const statedRevision = (call: { readonly request: FastifyRequest; readonly ifMatch: () => number }): number | null =>
  call.request.headers['if-match'] === undefined ? null : call.ifMatch();

/** A table that the caller may read, with the site's definitions. */
async function readable(ctx: Context, call: DesignCall, name: string): Promise<{ model: SiteModel; table: TableModel }> {
  const model = await siteModel(ctx, call.site.id);
  const table = tableOf(model, name);
  requireGrant(table, readerOf(call), 'read');
  return { model, table };
}

/** Changes definitions, brings the records up to date, and returns the table (`work` returns its id) in its current state. */
async function change(ctx: Context, call: DesignCall, work: (design: Design) => Promise<string>): Promise<ContentTable> {
  const id = await designing(ctx, designerOf(call), work);
  await tendRecords(ctx, call.site.id, call.session.userId);
  const model = await siteModel(ctx, call.site.id);
  const table = [...model.tables, ...model.deletedTables].find((one) => one.id === id) ?? fail('not_found');
  return tableResponse(ctx.postgres.db, model, table, readerOf(call));
}

/** Applies `change` to the table in the URL. `revision`: the revision that the caller read; null skips the check. */
const changeNamed = (
  ctx: Context,
  call: DesignCall & { readonly params: { readonly table: string } },
  revision: number | null,
  work: (design: Design, table: TableModel) => Promise<void>,
): Promise<ContentTable> =>
  change(ctx, call, async (design) => {
    const table = await design.table(call.params.table, revision);
    await work(design, table);
    return table.id;
  });

/** Routes for tables, fields, definition history, and definitions as a file. */
export function registerDesign(app: FastifyInstance, ctx: Context): void {
  registerTables(app, ctx);
  registerFields(app, ctx);
  registerSchemaHistory(app, ctx);
  registerSchemaFiles(app, ctx);
}

function registerTables(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;
  route(app, ctx, endpoints.tables, async (call) => {
    const model = await siteModel(ctx, call.site.id);
    return tableResponses(db, model, call.query.deleted ? model.deletedTables : model.tables, readerOf(call));
  });
  route(app, ctx, endpoints.table, async (call) => {
    const { model, table } = await readable(ctx, call, call.params.table);
    return tableResponse(db, model, table, readerOf(call));
  });
  route(app, ctx, endpoints.addTable, (call) => change(ctx, call, (design) => addTable(design, call.body)));
  route(app, ctx, endpoints.changeTable, (call) => changeNamed(ctx, call, call.ifMatch(), (design, table) => changeTable(design, table, call.body)));
  route(app, ctx, endpoints.removeTable, async (call) => {
    await changeNamed(ctx, call, statedRevision(call), removeTable);
  });
  route(app, ctx, endpoints.restoreTable, (call) =>
    change(ctx, call, async (design) => {
      const table = binned((await design.model()).deletedTables, call.params.table);
      await restoreTable(design, table);
      return table.id;
    }),
  );
  route(app, ctx, endpoints.duplicateTable, (call) =>
    change(ctx, call, async (design) => duplicateTable(design, await design.table(call.params.table), call.body.title, call.body.records)),
  );
}

function registerFields(app: FastifyInstance, ctx: Context): void {
  route(app, ctx, endpoints.addField, (call) =>
    changeNamed(ctx, call, statedRevision(call), async (design, table) => void (await addField(design, table, call.body))),
  );
  route(app, ctx, endpoints.changeField, (call) =>
    changeNamed(ctx, call, call.ifMatch(), (design, table) => changeField(design, table, fieldOf(table, call.params.field), call.body)),
  );
  route(app, ctx, endpoints.removeField, (call) =>
    changeNamed(ctx, call, statedRevision(call), (design, table) => removeField(design, table, fieldOf(table, call.params.field))),
  );
  route(app, ctx, endpoints.restoreField, (call) =>
    changeNamed(ctx, call, statedRevision(call), (design, table) => restoreField(design, table, binned(table.deletedFields, call.params.field))),
  );
  route(app, ctx, endpoints.deletedFields, async (call) => {
    const { table } = await readable(ctx, call, call.params.table);
    const { covers } = grantOf(table, readerOf(call), 'read');
    return [...table.deletedFields].filter(covers).sort(latestFirst).map(fieldResponse);
  });
  route(app, ctx, endpoints.orderFields, (call) => changeNamed(ctx, call, call.ifMatch(), (design, table) => orderFields(design, table, call.body.fields)));
  route(app, ctx, endpoints.fieldUsage, async (call) => {
    const { model, table } = await readable(ctx, call, call.params.table);
    const field = fieldOf(table, call.params.field);
    if (!grantOf(table, readerOf(call), 'read').covers(field)) return fail('not_found');
    return usageOf(ctx.postgres.db, model, table, field, readerOf(call), call.locale);
  });
}

function registerSchemaHistory(app: FastifyInstance, ctx: Context): void {
  route(app, ctx, endpoints.schemaHistory, async (call) => {
    const model = await siteModel(ctx, call.site.id);
    const table = model.byName.get(call.params.table) ?? binned(model.deletedTables, call.params.table);
    requireGrant(table, readerOf(call), 'read');
    return schemaHistory(ctx, model, table, readerOf(call));
  });
  route(app, ctx, endpoints.revertSchema, (call) =>
    change(ctx, call, async (design) => {
      const model = await design.model();
      const table = model.byName.get(call.params.table) ?? binned(model.deletedTables, call.params.table);
      await revertSchema(design, table, call.params.change);
      return table.id;
    }),
  );
}

/** Definitions from a file, or from another site whose tables the caller may design. */
async function sourceTables(
  app: FastifyInstance,
  ctx: Context,
  call: DesignCall & { readonly body: { readonly file?: z.output<typeof SchemaFile> | undefined; readonly siteId?: string | undefined } },
): Promise<FileTable[]> {
  const { file, siteId } = call.body;
  if (siteId === undefined) return file ? readSchemaFile(file) : failField('file', 'required');
  const site = await app.accessSource.site(call.session, siteId);
  if (!site || site.row.state === 'deleted' || !mayOnSite(site.role, 'tables.design')) return fail('not_found');
  return exportedTables(await siteModel(ctx, site.id));
}

function registerSchemaFiles(app: FastifyInstance, ctx: Context): void {
  route(app, ctx, endpoints.exportSchema, async (call) => {
    const model = await siteModel(ctx, call.site.id);
    return { format: 'sitewright-tables' as const, version: 1 as const, tables: exportedTables(model) };
  });
  route(app, ctx, endpoints.compareSchema, async (call) => differences(await siteModel(ctx, call.site.id), await sourceTables(app, ctx, call)));
  route(app, ctx, endpoints.applySchema, async (call) => {
    const tables = await sourceTables(app, ctx, call);
    const result = await designing(ctx, designerOf(call), (design) => applySchema(design, tables, call.body.only));
    await tendRecords(ctx, call.site.id, call.session.userId);
    return result;
  });
}

const latestFirst = (a: { readonly deletedAt: Date | null }, b: { readonly deletedAt: Date | null }): number =>
  (b.deletedAt?.getTime() ?? 0) - (a.deletedAt?.getTime() ?? 0);
/** Items in the bin, by id; by key the one deleted last. */
function binned<T extends { readonly id: string; readonly key: string; readonly deletedAt: Date | null }>(all: readonly T[], name: string): T {
  return all.find((one) => one.id === name) ?? [...all].sort(latestFirst).find((one) => one.key === name) ?? fail('not_found');
}
