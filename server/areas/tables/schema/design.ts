import { eq, sql } from 'drizzle-orm';
import type { SchemaChange } from '../../../../contract/tables/schemas';
import type { Context } from '../../../context';
import type { Locale } from '../../../http/access';
import { fail } from '../../../http/failure';
import { record } from '../../audit';
import type { Actor } from '../../audit';
import type { Reader } from '../core/access';
import { changingTables, textCollation } from '../core/ddl';
import type { Db } from '../core/ddl';
import { readModel, tableOf } from '../core/model';
import type { FieldModel, SiteModel, TableModel } from '../core/model';
import { contentChanges, contentSites, contentTables } from '../core/schema';
import { tableResponse } from './responses';

/** Who changes definitions, and of which site. */
export type Designer = {
  readonly siteId: string;
  /** First language of tables that specify none. */
  readonly lang: string;
  readonly actor: Actor;
  readonly userId: string;
  readonly reader: Reader;
  readonly locale: Locale;
};
export type Change = {
  readonly tableId: string;
  readonly fieldId?: string;
  readonly op: SchemaChange['op'];
  readonly name: string;
  readonly before?: Record<string, unknown>;
  readonly after?: Record<string, unknown>;
  /** Fields that `before` and `after` refer to by id, for changes of the whole table. */
  readonly fields?: readonly FieldModel[];
};
type AuditWord = 'table.added' | 'table.changed' | 'table.removed' | 'table.restored' | 'table.rules_changed';

/** One transaction of definition changes: metadata, storage, history, audit log and notices are committed together or not at all. */
export type Design = Designer & {
  readonly ctx: Context;
  readonly tx: Db;
  readonly at: Date;
  readonly collation: string;
  /** The site's revision with this change. */
  readonly revision: number;
  /** Definitions including the changes of this transaction. */
  readonly model: () => Promise<SiteModel>;
  /** A live table by id, key or alias; with `revision`, only at that revision. */
  readonly table: (name: string, revision?: number | null) => Promise<TableModel>;
  /** Discards the cached result of `model`. */
  readonly forget: () => void;
  /** Adds a change to the table's history and increases the table's revision, once per transaction. */
  readonly log: (change: Change, audit?: AuditWord) => Promise<void>;
};

/** Replaces ids by names: the audit log must remain readable after a field is gone. */
function forAudit(part: Record<string, unknown>, fields: readonly FieldModel[]): Record<string, unknown> {
  const titles = new Map(fields.map(({ id, title }) => [id, JSON.stringify(title).slice(1, -1)]));
  // In the audit log, `order` means the state of an order.
  const { order, ...rest } = part;
  const said = order === undefined ? rest : { ...rest, fieldOrder: order };
  return JSON.parse(JSON.stringify(said).replaceAll(/f_[a-z2-7]{12}/g, (id) => titles.get(id) ?? id)) as Record<string, unknown>;
}

/**
 * Runs `work` with exclusive access to the site's definitions. Concurrent changes wait, so that two people who add fields at once both get them.
 * Notifies everybody who views the site's tables afterwards.
 */
export async function designing<T>(ctx: Context, designer: Designer, work: (design: Design) => Promise<T>): Promise<T> {
  const collation = await textCollation(ctx.postgres);
  const touched = new Map<string, number>();
  const result = await changingTables(ctx.postgres, async (tx) => {
    touched.clear();
    const at = new Date(ctx.now());
    // Its row lock serializes changes to one site.
    const [site] = await tx
      .insert(contentSites)
      .values({ siteId: designer.siteId })
      .onConflictDoUpdate({ target: contentSites.siteId, set: { revision: sql`${contentSites.revision} + 1` } })
      .returning();
    const revision = site?.revision ?? 0;
    let known: SiteModel | null = null;
    const model = async (): Promise<SiteModel> => (known ??= await readModel(tx, designer.siteId, revision));
    const design: Design = {
      ...designer,
      ctx,
      tx,
      at,
      collation,
      revision,
      model,
      async table(name, expected = null) {
        const table = tableOf(await model(), name);
        if (expected !== null && table.revision !== expected)
          fail('stale_revision', { current: await tableResponse(tx, await model(), table, designer.reader) });
        return table;
      },
      forget: () => void (known = null),
      async log({ tableId, fieldId: field, op, name, before = {}, after = {}, fields = [] }, audit = 'table.changed') {
        const fieldId = field ?? null;
        let next = touched.get(tableId);
        if (next === undefined) {
          const [row] = await tx
            .update(contentTables)
            .set({ revision: sql`${contentTables.revision} + 1` })
            .where(eq(contentTables.id, tableId))
            .returning({ revision: contentTables.revision });
          next = row?.revision ?? 1;
          touched.set(tableId, next);
        }
        known = null;
        await tx.insert(contentChanges).values({ siteId: designer.siteId, tableId, fieldId, revision: next, op, name, before, after, by: designer.userId, at });
        const [table] = await tx.select({ title: contentTables.title }).from(contentTables).where(eq(contentTables.id, tableId));
        await record(ctx, tx, designer.actor, {
          action: audit,
          siteId: designer.siteId,
          target: { kind: 'table', id: tableId, name: table?.title ?? name },
          before: fieldId === null ? forAudit(before, fields) : { field: name, parts: Object.keys(before) },
          after: fieldId === null ? forAudit(after, fields) : { change: op, field: name, parts: Object.keys(after) },
        });
      },
    };
    return work(design);
  });
  for (const tableId of touched.keys()) ctx.live.publish({ type: 'tables', siteId: designer.siteId, tableId });
  return result;
}
