import { asc, eq, sql } from 'drizzle-orm';
import { isComputed, kindOf } from '../../../../contract/tables/terms';
import type { ValueKind } from '../../../../contract/tables/terms';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import { prepared } from '../../../stores/postgres/prepared';
import { shapesOf } from './formula/shapes';
import { contentFields, contentRules, contentSites, contentTables } from './schema';

export type TableRecord = typeof contentTables.$inferSelect;
export type FieldRecord = typeof contentFields.$inferSelect;
export type RuleRecord = typeof contentRules.$inferSelect;

export type FieldModel = FieldRecord & {
  /** Kind of value that a read yields; for computed fields it follows from their inputs. */
  readonly yields: ValueKind;
  /** Why a computed field cannot be read; null: it can. */
  readonly problem: string | null;
};
export type TableModel = TableRecord & {
  /** Live fields in order, and those in the bin. */
  readonly fields: readonly FieldModel[];
  readonly deletedFields: readonly FieldModel[];
  /** By id, key and alias; a key takes precedence over an alias. */
  readonly byName: ReadonlyMap<string, FieldModel>;
  readonly rules: readonly RuleRecord[];
};
/** Definitions of one site, as of `revision`. */
export type SiteModel = {
  readonly siteId: string;
  readonly revision: number;
  readonly tables: readonly TableModel[];
  readonly deletedTables: readonly TableModel[];
  /** By id, key and alias. */
  readonly byName: ReadonlyMap<string, TableModel>;
  readonly fieldById: ReadonlyMap<string, { readonly table: TableModel; readonly field: FieldModel }>;
};

const mostSites = 500;
const cache = new WeakMap<object, Map<string, SiteModel>>();

/** Index by name: aliases first, so that a current key takes precedence; ids last, so that nothing can shadow them. */
function named<T extends { readonly id: string; readonly key: string; readonly aliases: readonly string[] }>(all: readonly T[]): Map<string, T> {
  const map = new Map<string, T>();
  for (const one of all) for (const alias of one.aliases) map.set(alias, one);
  for (const one of all) map.set(one.key, one);
  for (const one of all) map.set(one.id, one);
  return map;
}

const revisionQuery = prepared((db) =>
  db
    .select({ revision: contentSites.revision })
    .from(contentSites)
    .where(eq(contentSites.siteId, sql.placeholder('siteId')))
    .prepare('content_revision'),
);

/**
 * Definitions of a site's tables, fields and rules. Reads a single number if nothing has changed since this process last read them, and nothing at all
 * if the request already has that number (`SiteAccess.contentRevision`). Does not use `information_schema`, which is slow with many schemas.
 */
export async function siteModel(ctx: Context, siteId: string, asOf?: number): Promise<SiteModel> {
  const { db } = ctx.postgres;
  const revision = asOf ?? (await revisionQuery(db).execute({ siteId }))[0]?.revision ?? 0;
  let known = cache.get(ctx.postgres);
  if (!known) cache.set(ctx.postgres, (known = new Map()));
  const have = known.get(siteId);
  if (have?.revision === revision) return have;
  const model = await readModel(db, siteId, revision);
  if (known.size >= mostSites) known.clear();
  known.set(siteId, model);
  return model;
}

/** Like `siteModel`, uncached: for changes of definitions, inside their transaction. */
export async function readModel(db: Pick<Context['postgres']['db'], 'select'>, siteId: string, revision: number): Promise<SiteModel> {
  // Sequential: a transaction has one connection.
  const tables = await db
    .select()
    .from(contentTables)
    .where(eq(contentTables.siteId, siteId))
    .orderBy(asc(contentTables.position), asc(contentTables.createdAt));
  const fields = await db
    .select({ field: contentFields })
    .from(contentFields)
    .innerJoin(contentTables, eq(contentTables.id, contentFields.tableId))
    .where(eq(contentTables.siteId, siteId))
    .orderBy(asc(contentFields.position), asc(contentFields.id));
  const rules = await db.select().from(contentRules).where(eq(contentRules.siteId, siteId));
  const make = (shapes: ReturnType<typeof shapesOf> | null): SiteModel => {
    const models = tables.map((table): TableModel => {
      const own = fields
        .filter(({ field }) => field.tableId === table.id)
        .map(({ field }): FieldModel => {
          const shape = shapes?.get(field.id);
          return { ...field, yields: shape?.yields ?? (isMadeWhenRead(field.type) ? 'text' : kindOf(field.type)), problem: shape?.problem ?? null };
        });
      const live = own.filter((field) => field.deletedAt === null);
      return {
        ...table,
        fields: live,
        deletedFields: own.filter((field) => field.deletedAt !== null),
        byName: named(live),
        rules: rules.filter((rule) => rule.tableId === table.id),
      };
    });
    const live = models.filter((table) => table.deletedAt === null);
    return {
      siteId,
      revision,
      tables: live,
      deletedTables: models.filter((table) => table.deletedAt !== null),
      byName: named(live),
      fieldById: new Map(live.flatMap((table) => table.fields.map((field) => [field.id, { table, field }] as const))),
    };
  };
  return make(shapesOf(make(null)));
}

/** Autonumbers are assigned at creation and stored like other values. */
const isMadeWhenRead = (type: FieldModel['type']): boolean => isComputed(type) && type !== 'autonumber';

export const tableOf = (model: SiteModel, name: string): TableModel => model.byName.get(name) ?? fail('not_found');
export const fieldOf = (table: TableModel, name: string): FieldModel => table.byName.get(name) ?? fail('not_found');
