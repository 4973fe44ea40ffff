import { isProse, usesOf } from '../../../../contract/tables/fieldTypes';
import type { BatchOrigin } from '../../../../contract/tables/terms';
import type { Context } from '../../../context';
import { grantOf } from '../core/access';
import type { Reader } from '../core/access';
import { columnName, recordsTable } from '../core/ids';
import { siteModel, tableOf } from '../core/model';
import type { FieldModel, TableModel } from '../core/model';
import { recordNames } from '../core/read';
import { readContextFor, whereSql } from '../core/read/list';
import { fromTable } from '../core/read/readContext';
import { askingLong } from '../core/read/run';
import type { TableContext } from '../core/tableContext';
import { writeBatch } from '../core/write/engine';
import { run } from '../core/write/rows';
import type { WriteTx } from '../core/write/types';

/** Texts of records in several languages, for the screen of translations. */

/** Who reads or writes texts, and the site's time zone. */
export type TextReader = { readonly siteId: string; readonly reader: Reader; readonly timeZone: string };
export type TranslatableField = { readonly id: string; readonly title: string; readonly format: 'text' | 'html'; readonly editable: boolean };
/** `locales`: the language of the source texts first. */
export type TranslatableTable = {
  readonly id: string;
  readonly key: string;
  readonly title: string;
  readonly locales: readonly string[];
  readonly fields: readonly TranslatableField[];
};
/** Texts by the positions of the table's fields; null: empty. */
export type RecordHashes = {
  readonly id: string;
  /** The value of the field that its address uses; its id if there is none. */
  readonly slug: string;
  readonly source: readonly (string | null)[];
  readonly translations: ReadonlyMap<string, readonly (string | null)[]>;
};
export type RecordTexts = {
  readonly id: string;
  readonly title: string;
  readonly revision: number;
  /** By field id. */
  readonly source: Readonly<Record<string, string>>;
  /** By language and field id. */
  readonly translations: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

const isTranslatable = (field: FieldModel): boolean => field.localized && isProse(field.type) && field.problem === null;

function fieldsOf(table: TableModel, reader: Reader): TranslatableField[] {
  const [read, update] = [grantOf(table, reader, 'read'), grantOf(table, reader, 'update')];
  return table.fields
    .filter((field) => isTranslatable(field) && read.covers(field))
    .map((field) => ({
      id: field.id,
      title: field.title,
      format: usesOf(field.type) === 'html' ? ('html' as const) : ('text' as const),
      editable: update.allowed && update.covers(field) && !field.readonly,
    }));
}

/** Tables with localized texts that the reader may see, in order. */
export async function translatableTables(ctx: Context, { siteId, reader }: TextReader): Promise<TranslatableTable[]> {
  const model = await siteModel(ctx, siteId);
  return model.tables
    .filter((table) => grantOf(table, reader, 'read').allowed)
    .map((table) => ({ id: table.id, key: table.key, title: table.title, locales: table.locales, fields: fieldsOf(table, reader) }))
    .filter(({ fields }) => fields.length > 0);
}

async function contextOf(ctx: Context, { siteId, reader, timeZone }: TextReader, tableId: string): Promise<TableContext> {
  const model = await siteModel(ctx, siteId);
  return { model, table: tableOf(model, tableId), reader, timeZone };
}

/** The first 32 hex digits of the SHA-256 of a text, as `textHash` of the area of languages has it; a dash for an empty text. */
const hashSql = (text: string): string => `CASE WHEN coalesce(${text}, '') = '' THEN '-' ELSE left(encode(sha256(convert_to(${text}, 'UTF8')), 'hex'), 32) END`;
const hashesOf = (texts: readonly string[]): string => `concat_ws(',', ${texts.map(hashSql).join(', ')})`;
const readHashes = (text: string | null | undefined): (string | null)[] => (text ?? '').split(',').map((hash) => (hash === '-' ? null : hash));

/**
 * Hashes of the texts of the latest records that the reader may see: enough to tell what is translated without reading the texts. `slug`: the field of their
 * addresses. `capped`: there are more than `most`.
 */
export async function recordHashes(
  ctx: Context,
  who: TextReader,
  { tableId, slug, most }: { readonly tableId: string; readonly slug: string | null; readonly most: number },
): Promise<{ rows: RecordHashes[]; capped: boolean }> {
  const context = await contextOf(ctx, who, tableId);
  const fields = fieldsOf(context.table, who.reader);
  const locales = context.table.locales.slice(1);
  if (fields.length === 0) return { rows: [], capped: false };
  const scope = await readContextFor(ctx, context, {});
  const translated = locales.map((locale) => {
    const language = scope.params.bind(locale, 'text');
    return hashesOf(fields.map(({ id }) => `${scope.row}.tr -> ${language} ->> '${columnName(id)}'`));
  });
  const slugField = context.table.byName.get(slug ?? '');
  const isTextSlug = slugField !== undefined && slugField.yields === 'text' && grantOf(context.table, who.reader, 'read').covers(slugField);
  const slugSql = isTextSlug ? `coalesce(${scope.row}.${columnName(slugField.id)}, ${scope.row}.id::text)` : `${scope.row}.id`;
  const source = hashesOf(fields.map(({ id }) => `${scope.row}.${columnName(id)}`));
  const found = await askingLong(ctx)(
    `SELECT ${[`${scope.row}.id`, slugSql, source, ...translated].join(', ')} FROM ${fromTable(scope)} WHERE ${whereSql(scope, {})}
     ORDER BY ${scope.row}.updated_at DESC, ${scope.row}.id LIMIT ${scope.params.bind(most + 1, 'bigint')}`,
    scope.params.values,
  );
  const rows = found.slice(0, most).map(([id, name, own, ...others]): RecordHashes => ({
    id: id ?? '',
    slug: name ?? '',
    source: readHashes(own),
    translations: new Map(locales.map((locale, at) => [locale, readHashes(others[at])])),
  }));
  return { rows, capped: found.length > most };
}

const texts = (fields: readonly { readonly id: string }[], values: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    fields.flatMap(({ id }) => {
      const text = values[id];
      return typeof text === 'string' && text !== '' ? [[id, text] as const] : [];
    }),
  );

/** Texts of records in all languages of their table, in the order of `ids`; records that the reader may not see are left out. */
export async function recordTexts(ctx: Context, who: TextReader, tableId: string, ids: readonly string[]): Promise<RecordTexts[]> {
  const context = await contextOf(ctx, who, tableId);
  const fields = fieldsOf(context.table, who.reader);
  const scope = await readContextFor(ctx, context, {});
  const own = `jsonb_build_object(${fields.map(({ id }) => `'${columnName(id)}', ${scope.row}.${columnName(id)}`).join(', ')})`;
  const [found, names] = await Promise.all([
    askingLong(ctx)(
      `SELECT ${scope.row}.id, ${scope.row}.rev, ${own}, ${scope.row}.tr FROM ${fromTable(scope)} WHERE ${whereSql(scope, { ids })}`,
      scope.params.values,
    ),
    recordNames(ctx, context, ids),
  ]);
  const byId = new Map(
    found.map(([id, revision, source, translations]) => {
      const all = JSON.parse(translations ?? '{}') as Record<string, Record<string, unknown>>;
      const row: RecordTexts = {
        id: id ?? '',
        title: names[id ?? ''] ?? '',
        revision: Number(revision),
        source: texts(fields, JSON.parse(source ?? '{}') as Record<string, unknown>),
        translations: Object.fromEntries(Object.entries(all).map(([locale, values]) => [locale, texts(fields, values)])),
      };
      return [row.id, row] as const;
    }),
  );
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Names of records by id. */
export const recordTitles = async (ctx: Context, who: TextReader, tableId: string, ids: readonly string[]): Promise<Readonly<Record<string, string>>> =>
  recordNames(ctx, await contextOf(ctx, who, tableId), ids);

/** `revision`: the one that the writer has read. `values`: by field id. */
export type TextChange = { readonly id: string; readonly revision: number; readonly values: Readonly<Record<string, string | null>> };
export type WrittenTexts = {
  /** Ids of records that were refused. */
  readonly refused: ReadonlySet<string>;
  /** As stored, by record and field: rich text is cleaned. */
  readonly stored: ReadonlyMap<string, Readonly<Record<string, string>>>;
};

/**
 * Writes texts of records in one language, in the caller's transaction, as part of the batch `batchId`. Records that break a rule are refused and the others
 * written; throws `Clashed` if others have changed the same texts since, `forbidden` without the right to change the table.
 */
export async function writeTexts(w: WriteTx, who: TextReader, { tableId, locale, changes, batchId, origin }: TextWrite): Promise<WrittenTexts> {
  const context = await contextOf(w.ctx, who, tableId);
  const updates = changes.map(({ id, revision, values }) => ({ kind: 'update', id, revision, values }) as const);
  const { results } = await writeBatch(w, context, updates, { origin, locale, errors: 'collect', batchId });
  const refused = new Set(results.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id));
  const fields = fieldsOf(context.table, who.reader);
  const rows = await run<{ id: string; stored: Record<string, unknown> | null }>(
    w.tx,
    `SELECT id, tr -> $2::text AS stored FROM ${recordsTable(who.siteId, context.table.id)} WHERE id = ANY($1::uuid[])`,
    [changes.map(({ id }) => id), locale],
  );
  return { refused, stored: new Map(rows.map(({ id, stored }) => [id, texts(fields, stored ?? {})])) };
}
export type TextWrite = {
  readonly tableId: string;
  readonly locale: string;
  readonly changes: readonly TextChange[];
  readonly batchId: string;
  readonly origin: BatchOrigin;
};
