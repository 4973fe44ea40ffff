import { eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { tableLimits } from '../../../../../contract/tables/terms';
import { fail } from '../../../../http/failure';
import { insertJob } from '../../../../worker/queries';
import { dropIndexes, lockTable } from '../../core/ddl';
import type { Db, StoredField } from '../../core/ddl';
import { checkDefault } from '../defaults';
import type { Design } from '../design';
import { DefinitionErrors } from '../definitionErrors';
import { storedField } from '../kinds';
import { checkFlags } from '../prepare';
import { columnName, recordsTable } from '../../core/ids';
import type { FieldModel, TableModel } from '../../core/model';
import { contentFields } from '../../core/schema';
import { indexesOf } from './build';
import { openJobs } from './queries';

/** Requested index flags of a field; omitted ones stay. */
export type IndexFlags = { readonly unique?: boolean | undefined; readonly indexed?: boolean | undefined };

/** Input of a `tables.index` job. Validated when read: an earlier release may have written it. */
export const JobInput = z.object({
  tableId: z.string(),
  fieldId: z.string(),
  type: z.string(),
  unique: z.boolean(),
  indexed: z.boolean(),
  /** The definition change that this one reverts. */
  reverts: z.int().nullable(),
  by: z.object({
    lang: z.string(),
    actor: z.object({
      kind: z.enum(['person', 'token', 'system', 'nobody']),
      id: z.string().nullable(),
      name: z.string(),
      tokenId: z.string().nullable(),
      address: z.string(),
      userAgent: z.string(),
      requestId: z.string(),
    }),
    userId: z.string(),
    role: z.enum(['admin', 'editor', 'analyst', 'support', 'viewer']),
    locale: z.enum(['zh-CN', 'en']),
  }),
});
export type JobInput = z.output<typeof JobInput>;

const flagsOf = (field: Pick<FieldModel, 'isUnique' | 'indexed'>) => ({ unique: field.isUnique, indexed: field.indexed });
export const withFlags = (field: FieldModel, { unique = field.isUnique, indexed = field.indexed }: IndexFlags): StoredField =>
  storedField({ ...field, isUnique: unique, indexed });

/** Refuses flags that the field's type does not support. */
export function checkIndexFlags(field: FieldModel, want: IndexFlags): void {
  const errors = new DefinitionErrors();
  checkFlags(
    field.type,
    { ...field, unique: want.unique ?? false, indexed: want.indexed ?? false, searchable: undefined, required: false, localized: false },
    errors,
  );
  if (want.unique) checkDefault({ type: field.type, options: field.options, unique: true }, field.default, errors);
  errors.throwIfAny();
}

/** Whether any value occurs more than once, inside a transaction; `duplicates.ts` lists them. */
async function hasDuplicates(db: Db, siteId: string, tableId: string, fieldId: string): Promise<boolean> {
  const column = columnName(fieldId);
  const { rows } = await db.execute<{ found: boolean }>(
    sql.raw(
      `SELECT EXISTS (SELECT 1 FROM ${recordsTable(siteId, tableId)} WHERE deleted_at IS NULL AND ${column} IS NOT NULL GROUP BY ${column} HAVING count(*) > 1) AS found`,
    ),
  );
  return rows[0]?.found ?? false;
}

export const indexCount = (table: TableModel): number => table.fields.reduce((sum, field) => sum + Number(field.isUnique) + Number(field.indexed), 0);

/** Stores a field's new flags in metadata and history. */
export async function writeFlags(design: Design, table: TableModel, field: FieldModel, next: Required<IndexFlags>): Promise<void> {
  const before = flagsOf(field);
  const changed = (['unique', 'indexed'] as const).filter((part) => before[part] !== next[part]);
  if (changed.length === 0) return;
  const pick = (from: IndexFlags) => Object.fromEntries(changed.map((part) => [part, from[part]]));
  await design.tx
    .update(contentFields)
    .set({ isUnique: next.unique ?? false, indexed: next.indexed ?? false })
    .where(eq(contentFields.id, field.id));
  design.forget();
  await design.log({ tableId: table.id, fieldId: field.id, op: 'field_changed', name: field.title, before: pick(before), after: pick(next) });
}

/**
 * Drops disabled indexes at once, and queues a job for enabled ones, whose id it returns. Two requests for the same get the same job. Throws `conflict`
 * if the field's indexes are being changed otherwise, `invalid_fields` beyond the limit of indexes.
 */
export async function applyIndexFlags(
  design: Design,
  table: TableModel,
  field: FieldModel,
  want: IndexFlags,
  reverts: number | null = null,
): Promise<string | null> {
  checkIndexFlags(field, want);
  const now = flagsOf(field);
  const on = { unique: want.unique === true && !now.unique, indexed: want.indexed === true && !now.indexed };
  const off = { unique: want.unique === false && now.unique, indexed: want.indexed === false && now.indexed };
  const open = (await openJobs(design.tx, design.siteId)).flatMap(({ id, input }) => {
    const read = JobInput.safeParse(input);
    return read.success && read.data.tableId === table.id ? [{ id, ...read.data }] : [];
  });
  const own = open.find((one) => one.fieldId === field.id);
  if (own) {
    const same =
      (want.unique === undefined || want.unique === (own.unique || now.unique)) &&
      (want.indexed === undefined || want.indexed === (own.indexed || now.indexed));
    return same ? own.id : fail('conflict', { current: { values: null, jobId: own.id } });
  }
  if (off.unique || off.indexed) {
    await lockTable(design.tx, table.id);
    const rest = { unique: now.unique && !off.unique, indexed: now.indexed && !off.indexed };
    const remainingNames = new Set(indexesOf(design.siteId, table, withFlags(field, rest)).map((index) => index.name));
    const gone = indexesOf(design.siteId, table, storedField(field)).filter((index) => !remainingNames.has(index.name));
    await dropIndexes(
      design.tx,
      design.siteId,
      gone.map((index) => index.name),
    );
    await writeFlags(design, table, field, rest);
  }
  if (!on.unique && !on.indexed) return null;
  const coming = open.reduce((sum, one) => sum + Number(one.unique) + Number(one.indexed), 0);
  const used = indexCount(table) - Number(off.unique) - Number(off.indexed) + coming + Number(on.unique) + Number(on.indexed);
  if (used > tableLimits.indexes) fail('invalid_fields', { fields: { [on.unique ? 'unique' : 'indexed']: { code: 'too_long', max: tableLimits.indexes } } });
  const { role, userId } = design.reader;
  if (role === 'public' || userId === null) throw new Error('only a signed-in user changes indexes');
  const input: JobInput = {
    tableId: table.id,
    fieldId: field.id,
    type: field.type,
    ...on,
    reverts,
    by: { lang: design.lang, actor: design.actor, userId: design.userId, role, locale: design.locale },
  };
  const job = await insertJob(design.tx, {
    kind: 'tables.index',
    siteId: design.siteId,
    label: `${table.title} · ${field.title}`,
    input,
    createdBy: design.userId,
    createdAt: design.at,
    runAfter: design.at,
  });
  return job.id;
}

/** Whether a history entry is a change of indexes. */
export const isIndexChange = (parts: Record<string, unknown>): boolean => 'unique' in parts || 'indexed' in parts;

/** Reverts a change of indexes. True if a job does it, which then marks the change. Throws `conflict` over duplicates. */
export async function takeBackIndexes(
  design: Design,
  table: TableModel,
  field: FieldModel,
  change: { readonly id: number; readonly before: Record<string, unknown> },
): Promise<boolean> {
  const flag = (name: 'unique' | 'indexed'): boolean | undefined => (typeof change.before[name] === 'boolean' ? change.before[name] : undefined);
  const want = { unique: flag('unique'), indexed: flag('indexed') };
  if (want.unique && !field.isUnique && (await hasDuplicates(design.tx, design.siteId, table.id, field.id)))
    fail('conflict', { fields: { unique: { code: 'duplicate' } } });
  return (await applyIndexFlags(design, table, field, want, change.id)) !== null;
}
