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
import { shownTable } from './shown';

/** Who changes definitions, and where. */
export type Designer = {
  readonly siteId: string;
  /** First language of tables that name none. */
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
  /** Fields that `before` and `after` name by id, where the whole table is changed. */
  readonly fields?: readonly FieldModel[];
};
type AuditWord = 'table.added' | 'table.changed' | 'table.removed' | 'table.restored' | 'table.rules_changed';

/** One transaction of changes to definitions: metadata, storage, history, audit and what is told to others belong together, or nothing of it happens. */
export type Design = Designer & {
  readonly ctx: Context;
  readonly tx: Db;
  readonly at: Date;
  readonly collation: string;
  /** Of the site's definitions, with this change. */
  readonly revision: number;
  /** Definitions with all that this transaction has done so far. */
  readonly model: () => Promise<SiteModel>;
  /** A live table by id, key or alias; with `revision` only where it is still that one. */
  readonly table: (name: string, revision?: number | null) => Promise<TableModel>;
  /** What `model` has read is no longer so. */
  readonly forget: () => void;
  /** Writes a change into the history of its table, and the table's revision grows, once a transaction. */
  readonly log: (change: Change, audit?: AuditWord) => Promise<void>;
};

/** What history keeps by id, in words: the audit log is read by people, also when a field is long gone. */
function told(part: Record<string, unknown>, fields: readonly FieldModel[]): Record<string, unknown> {
  const titles = new Map(fields.map(({ id, title }) => [id, JSON.stringify(title).slice(1, -1)]));
  // `order` by itself is the state of an order there.
  const { order, ...rest } = part;
  const said = order === undefined ? rest : { ...rest, fieldOrder: order };
  return JSON.parse(JSON.stringify(said).replaceAll(/f_[a-z2-7]{12}/g, (id) => titles.get(id) ?? id)) as Record<string, unknown>;
}

/**
 * Runs `work` with the site's definitions to itself. A change by somebody else waits for its end, so that two people who add fields at
 * once both get them. Afterwards everybody who looks at the site's tables is told.
 */
export async function designing<T>(ctx: Context, designer: Designer, work: (design: Design) => Promise<T>): Promise<T> {
  const collation = await textCollation(ctx.postgres);
  const touched = new Map<string, number>();
  const result = await changingTables(ctx.postgres, async (tx) => {
    touched.clear();
    const at = new Date(ctx.now());
    // Its row lock is what makes changes of one site follow each other.
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
        if (expected !== null && table.revision !== expected) fail('stale_revision', { current: await shownTable(tx, await model(), table, designer.reader) });
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
          before: fieldId === null ? told(before, fields) : { field: name, parts: Object.keys(before) },
          after: fieldId === null ? told(after, fields) : { change: op, field: name, parts: Object.keys(after) },
        });
      },
    };
    return work(design);
  });
  for (const tableId of touched.keys()) ctx.live.publish({ type: 'tables', siteId: designer.siteId, tableId });
  return result;
}
