import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { usesOf } from '../../../../contract/tables/fieldTypes';
import { fileItemsOf } from '../../../../contract/tables/fieldTypes/fileValues';
import { exactMomentText, momentText, readMoment, removedChoice, textOf } from '../../../../contract/tables/fieldText';
import type { RecordFilter } from '../../../../contract/tables/recordFilter';
import type { RecordLabels } from '../../../../contract/tables/records';
import { tableTransferEndpoints as endpoints, transferLimits } from '../../../../contract/tables/transfers';
import type { ExportFormat } from '../../../../contract/tables/transfers';
import type { SystemField } from '../../../../contract/tables/terms';
import type { Context } from '../../../context';
import { byteOrderMark, csvLine } from '../../../csv';
import type { Delimiter } from '../../../csv';
import type { Locale } from '../../../http/access';
import { asDownload, downloadPlaces } from '../../../http/download';
import { fail, failField } from '../../../http/failure';
import { route } from '../../../http/route';
import { actorOf, record } from '../../audit';
import type { Reader } from '../core/access';
import { serverFieldTypeOf } from '../core/fieldTypes';
import type { FieldModel } from '../core/model';
import { isSystem } from '../core/read/operand';
import { exportPages } from '../core/read/pages';
import type { ExportPage } from '../core/read/pages';
import { onTable } from '../core/read/run';
import type { ReadRecord } from '../core/read/values';
import { systemTitles } from '../core/systemTitles';
import { rowXml, workbook } from './xlsxFile';
import type { XlsxCell } from './xlsxFile';
import { archive, withFilesNoted } from './zipFile';
import type { ExportedFiles } from './zipFile';

/** Content of a file column: a field or a system value. */
type Column = { readonly title: string; readonly of: FieldModel | SystemField };
const states: Readonly<Record<string, Readonly<Record<Locale, string>>>> = {
  draft: { 'zh-CN': '草稿', en: 'Draft' },
  published: { 'zh-CN': '已发布', en: 'Published' },
  changed: { 'zh-CN': '有未发布的修改', en: 'Changed' },
};

/** Writes a moment in the time zone if that can be read back exactly; else as ISO 8601. */
function moment(iso: string, timeZone: string): string {
  const text = momentText(iso, timeZone);
  return readMoment(text, timeZone) === iso ? text : iso;
}

type CellFormat = {
  readonly labels: RecordLabels;
  readonly timeZone: string;
  readonly locale: Locale;
  /** Whether texts that a record has of its own for a file are written: the cell is JSON then, in place of addresses. */
  readonly ownTexts?: boolean;
};
const hasOwnTexts = (value: unknown): boolean => fileItemsOf(value).some((item) => Object.keys(item).length > 1);
function systemText(row: ReadRecord, of: SystemField, { labels, timeZone, locale }: CellFormat): string {
  const person = (id: string | null): string => (id === null ? '' : (labels.people[id] ?? ''));
  const time = (at: string | null): string => (at === null ? '' : moment(at, timeZone));
  switch (of) {
    case '$id':
      return row.id;
    case '$n':
      return String(row.n);
    case '$state':
      return states[row.state]?.[locale] ?? '';
    case '$createdAt':
      return time(row.createdAt);
    case '$createdBy':
      return person(row.createdBy);
    case '$updatedAt':
      return time(row.updatedAt);
    case '$updatedBy':
      return person(row.updatedBy);
    case '$publishedAt':
      return time(row.publishedAt);
    case '$publishAt':
      return time(row.publishAt);
  }
}
function cellText(row: ReadRecord, { of }: Column, format: CellFormat): string {
  if (typeof of === 'string') return systemText(row, of, format);
  const value = row.values[of.id];
  // Texts in JSON fields are written as JSON too, to be distinguishable from other values.
  if (of.type === 'json' && value !== null && value !== undefined) return JSON.stringify(value);
  if (of.yields === 'datetime' && typeof value === 'string') return moment(value, format.timeZone);
  if (format.ownTexts === true && usesOf(of.type) === 'items' && hasOwnTexts(value)) return JSON.stringify(value);
  return textOf(of, value, { ...format.labels, timeZone: format.timeZone, removed: removedChoice(format.locale) });
}

const dayOne = Date.UTC(1899, 11, 30);
const dayMs = 86_400_000;
/** Excel supports no earlier dates, treats 1900 as a leap year, and supports no date after 9999. */
const firstDay = Date.UTC(1900, 2, 1);
const mostDays = 2_958_466;

/** A moment in local time; a text if that time is ambiguous or out of Excel's range. */
function momentCell(iso: string, timeZone: string): XlsxCell {
  const clock = exactMomentText(iso, timeZone);
  const wall = Date.parse(`${clock.replace(' ', 'T')}Z`);
  if (readMoment(clock, timeZone) !== iso || Number.isNaN(wall) || wall < firstDay) return { kind: 'text', value: moment(iso, timeZone) };
  return { kind: wall % 1000 === 0 ? 'datetime' : 'instant', value: String((wall - dayOne) / dayMs) };
}
function timeCell(text: string): XlsxCell {
  const parts = /^(\d\d):(\d\d):(\d\d)$/.exec(text);
  if (parts === null) return { kind: 'text', value: text };
  return { kind: 'time', value: String((Number(parts[1]) * 3600 + Number(parts[2]) * 60 + Number(parts[3])) / 86_400) };
}
/** Excel cannot show negative durations. */
const durationCell = (seconds: number, text: string): XlsxCell =>
  seconds >= 0 && seconds / 86_400 < mostDays ? { kind: 'duration', value: String(seconds / 86_400) } : { kind: 'text', value: text };

/** System values that are moments. */
const systemMoment = (row: ReadRecord, of: SystemField): string | null => {
  const moments: Partial<Record<SystemField, string | null>> = {
    $createdAt: row.createdAt,
    $updatedAt: row.updatedAt,
    $publishedAt: row.publishedAt,
    $publishAt: row.publishAt,
  };
  return moments[of] ?? null;
};

/** Numbers, dates, moments, times and durations as such, if a spreadsheet keeps all their digits; everything else as text. */
function xlsxCell(row: ReadRecord, column: Column, format: CellFormat): XlsxCell {
  const { of } = column;
  const text = cellText(row, column, format);
  if (text === '') return null;
  const value = typeof of === 'string' ? systemMoment(row, of) : row.values[of.id];
  const yields = typeof of === 'string' ? (value === null ? null : 'datetime') : of.yields;
  if (yields === 'datetime' && typeof value === 'string') return momentCell(value, format.timeZone);
  if (yields === 'time' && typeof value === 'string') return timeCell(value);
  const spreadsheet = typeof of === 'string' ? undefined : serverFieldTypeOf(of.type).spreadsheet;
  if (spreadsheet === 'duration' && typeof value === 'number') return durationCell(value, text);
  if (typeof value === 'boolean' && typeof of !== 'string' && of.yields === 'boolean') return { kind: 'boolean', value };
  const isNumber = of === '$n' || (typeof of !== 'string' && of.yields === 'number' && spreadsheet === undefined);
  if (isNumber && /^-?\d+(?:\.\d+)?$/.test(text) && text.replaceAll(/\D/g, '').replace(/^0+/, '').length <= 15) return { kind: 'number', value: text };
  if (yields === 'date' && /^\d{4}-\d\d-\d\d$/.test(text) && Date.parse(text) >= firstDay)
    return { kind: 'date', value: String((Date.parse(text) - dayOne) / dayMs) };
  return { kind: 'text', value: text };
}

const types: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  json: 'application/json; charset=utf-8',
  zip: 'application/zip',
};

async function* csvOf(
  pages: AsyncIterable<ExportPage>,
  columns: readonly Column[],
  format: Omit<CellFormat, 'labels'>,
  delimiter: Delimiter,
): AsyncGenerator<string> {
  // An empty file has a header too; column names are escaped like any text.
  yield (
    byteOrderMark +
      csvLine(
        columns.map(({ title }) => title),
        delimiter,
      )
  );
  for await (const { rows, labels } of pages) {
    const numbers = columns.map(({ of }) => of === '$n' || (typeof of !== 'string' && of.yields === 'number'));
    yield rows
      .map((row) =>
        csvLine(
          columns.map((column, at) => {
            const text = cellText(row, column, { ...format, labels });
            // Numbers need no escaping: they contain no user text.
            return numbers[at] === true && /^-?\d+(?:\.\d+)?$/.test(text) ? { number: text } : text;
          }),
          delimiter,
        ),
      )
      .join('');
  }
}
async function* rowsXml(pages: AsyncIterable<ExportPage>, columns: readonly Column[], format: Omit<CellFormat, 'labels'>): AsyncGenerator<string> {
  yield rowXml(columns.map(({ title }) => ({ kind: 'text', value: title })));
  for await (const { rows, labels } of pages) yield rows.map((row) => rowXml(columns.map((column) => xlsxCell(row, column, { ...format, labels })))).join('');
}
/** Values as in the API, by key. */
async function* jsonOf(pages: AsyncIterable<ExportPage>, columns: readonly Column[]): AsyncGenerator<string> {
  const system: Readonly<Record<SystemField, (row: ReadRecord) => unknown>> = {
    $id: (row) => row.id,
    $n: (row) => row.n,
    $state: (row) => row.state,
    $createdAt: (row) => row.createdAt,
    $createdBy: (row) => row.createdBy,
    $updatedAt: (row) => row.updatedAt,
    $updatedBy: (row) => row.updatedBy,
    $publishedAt: (row) => row.publishedAt,
    $publishAt: (row) => row.publishAt,
  };
  let before = '[\n';
  for await (const { rows } of pages) {
    let text = '';
    for (const row of rows) {
      const object = columns.map(({ of }) => (typeof of === 'string' ? [of.slice(1), system[of](row)] : [of.key, row.values[of.id] ?? null]));
      text += before + JSON.stringify(Object.fromEntries(object));
      before = ',\n';
    }
    yield text;
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

/** `GET …/export`: records as a file, streamed from one snapshot of the table. Disconnecting aborts the query. */
export function registerExport(app: FastifyInstance, ctx: Context): void {
  const placeFor = downloadPlaces({ all: 4 });
  route(app, ctx, endpoints.exportRecords, async (call) => {
    const { site, session, query, locale, reply } = call;
    const reader: Reader = { role: site.role, userId: session.userId };
    if (query.format === 'zip' && session.token && !session.token.scopes.includes('resources:read')) fail('token_scope');
    const names = query.fields
      ?.split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    const systems = (names ?? []).filter((name) => name.startsWith('$'));
    const unknown = systems.find((name) => !isSystem(name));
    if (unknown !== undefined) failField('fields', 'unknown_field');
    const filters: RecordFilter[] = [
      ...(query.filter ? [query.filter] : []),
      ...(query.state === undefined ? [] : [{ field: '$state', op: 'eq' as const, value: query.state }]),
    ];
    const signal = placeFor(reply);
    const { context, fields, pages } = await onTable(ctx, { id: site.id, timeZone: site.row.timeZone }, call.params.table, reader, async (one) => {
      const recordQuery = {
        filter: filters.length === 0 ? null : filters.length === 1 ? filters[0] : { and: filters },
        q: query.q,
        sort: query.sort,
        fields: names,
        ids: query.ids?.split(',').map((id) => id.trim()),
        trash: query.trash,
        locale: query.locale,
      };
      return { context: one, ...(await exportPages(ctx, one, recordQuery, { signal, most: query.format === 'xlsx' ? transferLimits.rows : null })) };
    });
    if (pages === null) return fail('too_large');
    const asIs: Column[] =
      names === undefined
        ? fields.map((field) => ({ title: field.title, of: field }))
        : names.flatMap((name): Column[] => {
            if (isSystem(name)) return [{ title: systemTitles[name][locale], of: name }];
            const field = fields.find((one) => one.id === context.table.byName.get(name)?.id);
            return field ? [{ title: field.title, of: field }] : [];
          });
    const exportedColumns = asIs.filter(({ of }) => typeof of === 'string' || of.type !== 'button');
    const columns =
      query.withId && !exportedColumns.some(({ of }) => of === '$id')
        ? [{ title: systemTitles.$id[locale], of: '$id' as const }, ...exportedColumns]
        : exportedColumns;
    const { table } = context;
    await record(ctx, ctx.postgres.db, actorOf(call), {
      action: 'table.exported',
      siteId: site.id,
      target: { kind: 'table', id: table.id, name: table.title },
      after: {
        format: query.format,
        fields: columns.length,
        ...(query.filter || query.q || query.ids ? { filtered: true } : {}),
        ...(query.trash ? { trash: true } : {}),
      },
    });
    const format = { timeZone: site.row.timeZone, locale };
    const name = table.title.replaceAll(/[/\\:*?"<>|]/g, '_');
    asDownload(reply, `${name}.${query.format}`, types[query.format]);
    if (query.format === 'zip') {
      const files: ExportedFiles = new Map();
      const csv = csvOf(withFilesNoted(pages, files), columns, { ...format, ownTexts: true }, query.delimiter);
      return reply.send(archive(ctx, site.id, `${name}.csv`, csv, files));
    }
    if (query.format === 'xlsx') return reply.send(workbook(table.title, rowsXml(pages, columns, format)));
    return reply.send(Readable.from(query.format === 'json' ? jsonOf(pages, columns) : csvOf(pages, columns, format, query.delimiter), { objectMode: false }));
  });
}
