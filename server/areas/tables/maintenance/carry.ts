import type { SiteRole } from '../../../../contract/permissions';
import type { Context } from '../../../context';
import type { Locale } from '../../../http/access';
import type { Actor } from '../../audit';
import { historyTable, recordsTable } from '../core/ids';
import { siteModel, tableOf } from '../core/model';
import { run } from '../core/write/rows';
import { keepDue } from '../core/write/statements';
import type { BroughtFiles } from '../core/values/broughtFiles';
import { applySchema, countCopied, designerBy, designing, exportedTables, readSchemaFile, removeTable } from '../schema';
import type { FileTable } from '../schema';
import { linesOf } from './backup';
import { FileRecord } from './file';
import { emptyReport } from './fittedTable';
import { prepareRecords, writeChunk } from './restoreChunk';
import type { Counting } from './restoreChunk';

/** Tables and records as they travel in the archive of a site: without people and without passwords, so that another installation has the same. */

export type TableInstaller = {
  readonly siteId: string;
  readonly lang: string;
  readonly userId: string;
  readonly role: SiteRole;
  readonly locale: Locale;
  readonly actor: Actor;
};

/** Definitions of all tables of a site by key, and the keys of their ids. */
export async function carriedTables(ctx: Context, siteId: string): Promise<{ readonly tables: FileTable[]; readonly keys: ReadonlyMap<string, string> }> {
  const model = await siteModel(ctx, siteId);
  const keys = new Map(
    model.tables.flatMap((table) => [[table.id, table.key] as const, ...table.fields.map(({ id, key }) => [id, `${table.key}.${key}`] as const)]),
  );
  return { tables: exportedTables(model), keys };
}

/** Records of a table outside the bin, in the order of their ids. */
export async function* carriedRecords(ctx: Context, siteId: string, key: string, signal: AbortSignal): AsyncGenerator<FileRecord> {
  const model = await siteModel(ctx, siteId);
  const table = tableOf(model, key);
  const personal = new Set(table.fields.filter(({ type }) => type === 'user' || type === 'password').map((field) => field.key));
  const own = (values: Record<string, unknown>) => Object.fromEntries(Object.entries(values).filter(([name]) => !personal.has(name)));
  let first = true;
  for await (const text of linesOf(ctx, model, table, { withBin: false, withFiles: false, signal })) {
    for (const line of text.split('\n')) {
      if (line === '') continue;
      const record = first ? null : FileRecord.safeParse(JSON.parse(line));
      first = false;
      if (!record?.success) continue;
      const { createdBy: _maker, updatedBy: _editor, names: _names, published, values, ...rest } = record.data;
      const { updatedBy: _publisher, ...released } = published ?? {};
      yield { ...rest, values: own(values), ...(published && { published: { ...(released as typeof published), values: own(published.values) } }) };
    }
  }
}

/** Creates the tables of an archive that the site lacks; ids of its tables and fields by `table` and `table.field`. Throws `invalid_fields`. */
export async function installTables(ctx: Context, by: TableInstaller, tables: readonly unknown[]): Promise<ReadonlyMap<string, string>> {
  const { siteId, userId, role } = by;
  const known = new Set((await siteModel(ctx, siteId)).tables.map(({ key }) => key));
  const added = readSchemaFile({ format: 'sitewright-tables', version: 1, tables: [...tables] as Record<string, unknown>[] }).filter(
    ({ key }) => !known.has(key),
  );
  if (added.length > 0)
    await designing(ctx, designerBy(siteId, { ...by, userId }, role), async (design) => {
      await applySchema(design, added, undefined);
      for (const { key } of added) {
        const { id } = await design.table(key);
        // The archive contains the only record of a singleton.
        await run(design.tx, `DELETE FROM ${recordsTable(siteId, id)}`, []);
        await run(design.tx, `DELETE FROM ${historyTable(siteId)} WHERE table_id = $1::text`, [id]);
      }
    });
  const model = await siteModel(ctx, siteId);
  return new Map(model.tables.flatMap((table) => [[table.key, table.id] as const, ...table.fields.map(({ id, key }) => [`${table.key}.${key}`, id] as const)]));
}

type RecordBringer = (records: readonly unknown[]) => Promise<void>;
/** Stores records of an archive in a table that `installTables` created, with their ids; those that exist stay. Throws `ZodError` for an invalid record. */
export async function openRecordBringer(
  ctx: Context,
  { siteId, userId }: Pick<TableInstaller, 'siteId' | 'userId'>,
  key: string,
  { files, carried }: { readonly files: BroughtFiles; readonly carried: ReadonlySet<string> },
): Promise<RecordBringer> {
  const model = await siteModel(ctx, siteId);
  const table = tableOf(model, key);
  const definition = exportedTables(model).find((one) => one.key === table.key);
  if (!definition) throw new Error('a table without a definition');
  return async (some) => {
    const lines = some.map((one, at) => ({ line: at, record: FileRecord.parse(one) }));
    const header = { madeAt: '', siteId } as Parameters<typeof emptyReport>[0]['header'];
    const report: Counting = {
      ...emptyReport({ header }, { table: definition, gone: new Map(), keyTaken: false, rights: [] }, siteId),
      people: new Set(),
    };
    const where = { model, siteId, fields: table.fields, selfKey: table.id, locales: table.locales.slice(1), own: carried, files, carried };
    await ctx.postgres.db.transaction(async (tx) => {
      const ids = [...new Set(lines.map(({ record }) => record.id.toLowerCase()))];
      const there = await run(tx, `SELECT 1 FROM ${recordsTable(siteId, table.id)} WHERE id = ANY($1::uuid[])`, [ids]);
      await writeChunk(tx, siteId, table, await prepareRecords(tx, where, lines, report), { at: new Date(ctx.now()), actor: userId });
      const added = ids.length - there.length;
      await countCopied({ query: (text, values) => run(tx, text, values) }, siteId, table.id, added, new Date(ctx.now()));
      await keepDue(tx, siteId, table.id);
    });
    ctx.live.publish({ type: 'records', siteId, tableId: table.id, ids: [], by: userId });
  };
}

/** Moves those of the tables that still exist into the bin if they are empty, or if nobody has changed their records since they were brought. Returns the ids of those that stay. */
export async function removeImportedTables(ctx: Context, by: TableInstaller, ids: readonly string[], which: 'empty' | 'unchanged'): Promise<string[]> {
  const stay: string[] = [];
  await designing(ctx, designerBy(by.siteId, by, by.role), async (design) => {
    stay.length = 0;
    for (const id of ids) {
      const table = (await design.model()).tables.find((one) => one.id === id);
      if (!table) continue;
      // `openRecordBringer` writes without a batch, as every later change has one.
      const [some] =
        which === 'empty'
          ? await run(design.tx, `SELECT 1 FROM ${recordsTable(by.siteId, id)} WHERE deleted_at IS NULL LIMIT 1`, [])
          : await run(design.tx, `SELECT 1 FROM ${historyTable(by.siteId)} WHERE table_id = $1::text AND batch IS NOT NULL LIMIT 1`, [id]);
      if (some) stay.push(id);
      else await removeTable(design, table);
    }
  });
  return stay;
}
