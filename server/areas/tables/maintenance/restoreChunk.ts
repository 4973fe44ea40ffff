import { canonicalLanguage } from '../../../../contract/languages';
import type { RestoreReport } from '../../../../contract/tables/maintenance';
import { columnOf } from '../../../../contract/tables/terms';
import { columnName, historyTable, numbersOf, recordsTable } from '../core/ids';
import type { FieldModel, SiteModel, TableModel } from '../core/model';
import { searchVector } from '../core/search';
import { noteFiles } from '../core/write/fileReferences';
import { peopleOf } from '../core/write/lookups';
import { isStored, run } from '../core/write/rows';
import { publishRows, restorePublished, writeLinks } from '../core/write/statements';
import type { Tx } from '../core/write/types';
import { withBroughtFiles } from '../core/values/broughtFiles';
import type { BroughtFiles } from '../core/values/broughtFiles';
import { Unfit, cleanedValue } from './cleanedValue';
import type { FileRecord } from './file';
import { isUuid } from '../../../../contract/uuid';

/** Field in the file and the field that it becomes, null in a dry run: same shape and key. */
export type Fields = readonly Pick<FieldModel, 'id' | 'key' | 'title' | 'type' | 'options' | 'localized' | 'searchable'>[];
export type FileLine = { readonly line: number; readonly record: FileRecord };

/** Maximum number of listed places and names, and of cached people. */
const mostExamples = 50;

type State = { readonly values: Record<string, unknown>; readonly tr: Record<string, Record<string, unknown>> };
export type PreparedRecord = State & { readonly record: FileRecord; readonly published: State | null };
export type Counting = { -readonly [K in keyof RestoreReport]: RestoreReport[K] } & { readonly people: Set<string> };

type Where = {
  readonly model: SiteModel;
  readonly siteId: string;
  readonly fields: Fields;
  /** The table's key in the current definition, and ids of all records of the file, for links to itself. */
  readonly selfKey: string;
  readonly locales: readonly string[];
  readonly own: ReadonlySet<string>;
  /** Resources that took the place of those in the backup. */
  readonly files: BroughtFiles;
  /** Records of all tables that come with the same archive, so that links between them may come before their ends. */
  readonly carried?: ReadonlySet<string>;
};

const idsIn = (value: unknown): string[] => (Array.isArray(value) ? value : [value]).filter(isUuid).map((id) => id.toLowerCase());

/** Resolves people and records that the records of a chunk refer to. */
async function found(tx: Tx, { model, siteId, fields, selfKey, own, carried }: Where, lines: readonly FileLine[]) {
  const people = new Set<string>();
  const linkedIds = new Map<string, Set<string>>();
  const names = new Map<string, string>();
  for (const { record } of lines) {
    for (const id of [record.createdBy, record.updatedBy, record.published?.updatedBy]) if (id !== undefined) people.add(id);
    for (const [id, name] of Object.entries(record.names ?? {})) if (isUuid(id)) names.set(id.toLowerCase(), name);
    for (const state of [record, record.published])
      for (const field of state ? fields : []) {
        const ids = idsIn(state?.values[field.key]);
        if (field.type === 'user') for (const id of ids) people.add(id);
        if (field.type !== 'relation' && field.type !== 'relations') continue;
        const known = linkedIds.get(field.id) ?? new Set();
        for (const id of ids) known.add(id);
        linkedIds.set(field.id, known);
      }
  }
  const known = await peopleOf(tx, siteId, [...people]);
  const links = new Map<string, ReadonlyMap<string, { readonly id: string; readonly by: 'id' | 'name' }>>();
  for (const field of fields) {
    const ids = [...(linkedIds.get(field.id) ?? [])];
    if (ids.length === 0) continue;
    const to = new Map<string, { id: string; by: 'id' | 'name' }>();
    links.set(field.id, to);
    if (field.options.to === selfKey) {
      for (const id of ids) if (own.has(id)) to.set(id, { id, by: 'id' });
      continue;
    }
    for (const id of ids) if (carried?.has(id) === true) to.set(id, { id, by: 'id' });
    const target = model.byName.get(field.options.to ?? '');
    if (!target) continue;
    const there = await run<{ id: string }>(tx, `SELECT id FROM ${recordsTable(siteId, target.id)} WHERE id = ANY($1::uuid[])`, [ids]);
    for (const { id } of there) to.set(id, { id, by: 'id' });
    const primary = target.fields.find((one) => one.id === target.primaryField);
    const lost = ids.filter((id) => !to.has(id) && names.has(id));
    if (lost.length === 0 || !primary || columnOf[primary.type] !== 'text' || primary.type === 'password') continue;
    const column = columnName(primary.id);
    const called = await run<{ id: string; name: string }>(
      tx,
      `SELECT (array_agg(id::text))[1] AS id, ${column} AS name FROM ${recordsTable(siteId, target.id)}
       WHERE deleted_at IS NULL AND ${column} = ANY($1::text[]) GROUP BY ${column} HAVING count(*) = 1`,
      [[...new Set(lost.map((id) => names.get(id) ?? ''))]],
    );
    const byName = new Map(called.map(({ id, name }) => [name, id]));
    for (const id of lost) {
      const other = byName.get(names.get(id) ?? '');
      if (other !== undefined) to.set(id, { id: other, by: 'name' });
    }
  }
  return { known, links, names };
}

/** Adapts the records of a chunk to this site, and counts into `report`. */
export async function prepareRecords(tx: Tx, where: Where, lines: readonly FileLine[], report: Counting): Promise<PreparedRecord[]> {
  const { known, links, names } = await found(tx, where, lines);
  const person = (id: string | undefined): string | null => {
    if (id === undefined) return null;
    if (known.has(id)) return id;
    if (report.people.size < 10_000) report.people.add(id);
    return null;
  };
  const localized = where.fields.filter((field) => field.localized);
  const stateOf = (line: number, source: Pick<FileRecord, 'values' | 'tr'>, counts: boolean): State => {
    const fit = (field: Fields[number], raw: unknown): unknown => {
      try {
        return cleanedValue(field, raw);
      } catch (error) {
        if (!(error instanceof Unfit)) throw error;
        report.emptied += 1;
        if (report.places.length < mostExamples) report.places = [...report.places, { line, field: field.title }];
        return null;
      }
    };
    const values: Record<string, unknown> = {};
    for (const field of where.fields) {
      const raw = withBroughtFiles(field.type, source.values[field.key], where.files);
      if (field.type === 'relation' || field.type === 'relations') {
        const to = links.get(field.id);
        const linkIds: string[] = [];
        for (const id of new Set(idsIn(raw))) {
          const end = to?.get(id);
          if (end) linkIds.push(end.id);
          if (!counts) continue;
          const key = end ? (end.by === 'id' ? 'byId' : 'byName') : 'lost';
          report.links = { ...report.links, [key]: report.links[key] + 1 };
          if (!end && report.links.names.length < mostExamples) report.links = { ...report.links, names: [...report.links.names, names.get(id) ?? id] };
        }
        values[field.id] = field.type === 'relations' ? [...new Set(linkIds)] : (linkIds[0] ?? null);
      } else if (field.type === 'user') values[field.id] = person(idsIn(raw)[0]);
      else if (columnOf[field.type] !== 'none') values[field.id] = fit(field, raw);
    }
    const tr: Record<string, Record<string, unknown>> = {};
    for (const [language, texts] of Object.entries(source.tr ?? {})) {
      const locale = canonicalLanguage(language);
      if (!where.locales.includes(locale)) continue;
      const own = Object.fromEntries(
        localized.flatMap((field) => {
          const value = fit(field, withBroughtFiles(field.type, texts[field.key], where.files));
          return value === null ? [] : [[field.id, value]];
        }),
      );
      // The text under the normalized language name takes precedence over other names of the language.
      if (Object.keys(own).length > 0) tr[locale] = language === locale ? { ...tr[locale], ...own } : { ...own, ...tr[locale] };
    }
    return { values, tr };
  };
  return lines.map(({ line, record }): PreparedRecord => {
    report.records += 1;
    if (record.deletedAt !== undefined) report.binned += 1;
    if (record.publishedRev !== undefined) report.published += 1;
    const state = stateOf(line, record, true);
    for (const id of [record.createdBy, record.updatedBy]) person(id);
    return {
      ...state,
      record: { ...record, id: record.id.toLowerCase(), createdBy: person(record.createdBy) ?? undefined, updatedBy: person(record.updatedBy) ?? undefined },
      published: record.published ? { ...stateOf(line, record.published, false) } : null,
    };
  });
}

/** A record as column values of its row, by name. */
const rowOf = (table: TableModel, stored: readonly FieldModel[], { record, values, tr }: PreparedRecord) => ({
  id: record.id,
  n: record.n,
  ord: record.ord,
  rev: record.rev,
  created_at: record.createdAt,
  created_by: record.createdBy ?? null,
  updated_at: record.updatedAt,
  updated_by: record.updatedBy ?? null,
  deleted_at: record.deletedAt ?? null,
  published_rev: table.drafts ? (record.publishedRev ?? null) : null,
  published_at: table.drafts ? (record.publishedAt ?? null) : null,
  publish_at: table.drafts ? (record.publishAt ?? null) : null,
  unpublish_at: table.drafts ? (record.unpublishAt ?? null) : null,
  tr: Object.keys(tr).length === 0 ? null : tr,
  q:
    searchVector(
      table.fields.filter((field) => field.searchable),
      values,
      tr,
    ) || null,
  ...Object.fromEntries(stored.map((field) => [field.id, values[field.id] ?? null])),
});
/** System columns of `rowOf`, with their types. */
const systemColumns =
  'id uuid, n bigint, ord numeric, rev int, created_at timestamptz, created_by uuid, updated_at timestamptz, updated_by uuid, deleted_at timestamptz, published_rev int, published_at timestamptz, publish_at timestamptz, unpublish_at timestamptz, tr jsonb';

/** Writes the records of a chunk into the new table; existing ones (from an interrupted run) stay. */
export async function writeChunk(
  tx: Tx,
  siteId: string,
  table: TableModel,
  ready: readonly PreparedRecord[],
  batch: { readonly at: Date; readonly actor: string },
): Promise<void> {
  const stored = table.fields.filter(isStored);
  const rows = ready.map((one) => rowOf(table, stored, one));
  const names = [...systemColumns.split(', ').map((one) => one.split(' ')[0] ?? ''), ...stored.map((field) => columnName(field.id))];
  await run(
    tx,
    `INSERT INTO ${recordsTable(siteId, table.id)} (${names.join(', ')}, q)
     SELECT ${names.map((name) => `x.${name}`).join(', ')}, x.q::tsvector
     FROM json_to_recordset($1::json) AS x(${systemColumns}, q text${stored.map((field) => `, ${columnName(field.id)} ${columnOf[field.type]}`).join('')})
     ON CONFLICT (id) DO NOTHING`,
    [JSON.stringify(rows)],
  );
  for (const field of table.fields)
    if (field.type === 'relations')
      await writeLinks(
        tx,
        siteId,
        field.id,
        ready.map(({ record, values }) => ({ a: record.id, list: values[field.id] ?? [] })),
        true,
      );
  await run(
    tx,
    `INSERT INTO ${historyTable(siteId)} (table_id, record_id, rev, at, actor, door, kind, patch, inverse)
     SELECT $1::text, x.id, x.rev, $3::timestamptz, $4::uuid, 'import', 'create', '{}', '{}' FROM json_to_recordset($2::json) AS x(id uuid, rev int) ON CONFLICT DO NOTHING`,
    [table.id, JSON.stringify(rows.map(({ id, rev }) => ({ id, rev }))), batch.at.toISOString(), batch.actor],
  );
  await run(tx, `SELECT setval($1::regclass, greatest($2::bigint, (SELECT last_value FROM ${numbersOf(siteId, table.id)})))`, [
    numbersOf(siteId, table.id),
    Math.max(1, ...rows.map(({ n }) => n)),
  ]);
  if (table.drafts) await writePublished(tx, siteId, table, ready);
  await noteFiles(
    tx,
    { siteId, table },
    ready.map(({ record }) => record.id),
  );
}

/** Writes the published state of records: usually the current values, otherwise the state in the file. */
async function writePublished(tx: Tx, siteId: string, table: TableModel, ready: readonly PreparedRecord[]): Promise<void> {
  const out = ready.filter(({ record }) => record.publishedRev !== undefined && record.publishedAt !== undefined && record.deletedAt === undefined);
  const asIs = out.filter(({ published }) => published === null).map(({ record }) => record.id);
  if (asIs.length > 0) await publishRows(tx, siteId, table, asIs);
  const other = out.flatMap(({ record, published }) => {
    if (!published || !record.published) return [];
    const { rev, updatedAt, updatedBy } = record.published;
    return [
      {
        id: record.id,
        state: {
          rev,
          at: record.publishedAt ?? record.updatedAt,
          updatedAt,
          updatedBy: updatedBy !== undefined && updatedBy === record.updatedBy ? updatedBy : null,
          values: published.values,
          tr: published.tr,
        },
      },
    ];
  });
  if (other.length > 0) await restorePublished(tx, siteId, table, other);
}
