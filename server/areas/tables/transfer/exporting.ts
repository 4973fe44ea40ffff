import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { exactMomentText, momentText, readMoment, removedChoice, textOf } from '../../../../contract/tables/fieldText';
import type { RecordFilter } from '../../../../contract/tables/recordFilter';
import type { RecordLabels } from '../../../../contract/tables/records';
import { tableTransferEndpoints as endpoints, transferLimits } from '../../../../contract/tables/transfers';
import type { TransferFormat } from '../../../../contract/tables/transfers';
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
import type { FieldModel } from '../core/model';
import { isSystem } from '../core/read/operand';
import { exportPages } from '../core/read/pages';
import type { ExportPage } from '../core/read/pages';
import { onTable } from '../core/read/run';
import type { ReadRecord } from '../core/read/values';
import { systemTitles } from '../core/systemTitles';
import { rowXml, workbook } from './xlsxFile';
import type { XlsxCell } from './xlsxFile';

/** What a column of a file shows: a field, or what every record has. */
type Column = { readonly title: string; readonly of: FieldModel | SystemField };
const states: Readonly<Record<string, Readonly<Record<Locale, string>>>> = {
  draft: { 'zh-CN': '草稿', en: 'Draft' },
  published: { 'zh-CN': '已发布', en: 'Published' },
  changed: { 'zh-CN': '有未发布的修改', en: 'Changed' },
};

/** Writes a moment in the zone, where reading that gives the same moment back; else as ISO 8601. */
function moment(iso: string, timeZone: string): string {
  const text = momentText(iso, timeZone);
  return readMoment(text, timeZone) === iso ? text : iso;
}

type Told = { readonly labels: RecordLabels; readonly timeZone: string; readonly locale: Locale };
function systemText(row: ReadRecord, of: SystemField, { labels, timeZone, locale }: Told): string {
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
function cellText(row: ReadRecord, { of }: Column, format: Told): string {
  if (typeof of === 'string') return systemText(row, of, format);
  const value = row.values[of.id];
  // A text in a field of JSON is written as JSON, too, or it could not be told from what it looks like.
  if (of.type === 'json' && value !== null && value !== undefined) return JSON.stringify(value);
  if (of.yields === 'datetime' && typeof value === 'string') return moment(value, format.timeZone);
  return textOf(of, value, { records: format.labels.records, people: format.labels.people, timeZone: format.timeZone, removed: removedChoice(format.locale) });
}

const dayOne = Date.UTC(1899, 11, 30);
const dayMs = 86_400_000;
/** Excel knows no day before this, takes its year for a leap year, and shows no day after 9999. */
const firstDay = Date.UTC(1900, 2, 1);
const mostDays = 2_958_466;

/** A moment as the clock of the zone shows it; a text where that clock shows it twice, or Excel knows no such day. */
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
/** Excel shows no length of time below nothing. */
const durationCell = (seconds: number, text: string): XlsxCell =>
  seconds >= 0 && seconds / 86_400 < mostDays ? { kind: 'duration', value: String(seconds / 86_400) } : { kind: 'text', value: text };

/** What every record has besides its fields, where it is a moment. */
const systemMoment = (row: ReadRecord, of: SystemField): string | null => {
  const moments: Partial<Record<SystemField, string | null>> = {
    $createdAt: row.createdAt,
    $updatedAt: row.updatedAt,
    $publishedAt: row.publishedAt,
    $publishAt: row.publishAt,
  };
  return moments[of] ?? null;
};

/** Numbers, days, moments, times and lengths of time as such, where a spreadsheet keeps all of their digits; everything else as the text that it is. */
function xlsxCell(row: ReadRecord, column: Column, format: Told): XlsxCell {
  const { of } = column;
  const text = cellText(row, column, format);
  if (text === '') return null;
  const value = typeof of === 'string' ? systemMoment(row, of) : row.values[of.id];
  const yields = typeof of === 'string' ? (value === null ? null : 'datetime') : of.yields;
  if (yields === 'datetime' && typeof value === 'string') return momentCell(value, format.timeZone);
  if (yields === 'time' && typeof value === 'string') return timeCell(value);
  if (typeof of !== 'string' && of.type === 'duration' && typeof value === 'number') return durationCell(value, text);
  if (typeof value === 'boolean' && typeof of !== 'string' && of.yields === 'boolean') return { kind: 'boolean', value };
  const isNumber = of === '$n' || (typeof of !== 'string' && of.yields === 'number' && of.type !== 'percent' && of.type !== 'duration');
  if (isNumber && /^-?\d+(?:\.\d+)?$/.test(text) && text.replaceAll(/\D/g, '').replace(/^0+/, '').length <= 15) return { kind: 'number', value: text };
  if (yields === 'date' && /^\d{4}-\d\d-\d\d$/.test(text) && Date.parse(text) >= firstDay)
    return { kind: 'date', value: String((Date.parse(text) - dayOne) / dayMs) };
  return { kind: 'text', value: text };
}

const types: Readonly<Record<TransferFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  json: 'application/json; charset=utf-8',
};

async function* csvOf(
  pages: AsyncIterable<ExportPage>,
  columns: readonly Column[],
  format: Omit<Told, 'labels'>,
  delimiter: Delimiter,
): AsyncGenerator<string> {
  // An empty file begins with its names, too; those of columns are guarded as everything is.
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
            // What is a number stays one: nothing in it is anybody's text.
            return numbers[at] === true && /^-?\d+(?:\.\d+)?$/.test(text) ? { number: text } : text;
          }),
          delimiter,
        ),
      )
      .join('');
  }
}
async function* rowsXml(pages: AsyncIterable<ExportPage>, columns: readonly Column[], format: Omit<Told, 'labels'>): AsyncGenerator<string> {
  yield rowXml(columns.map(({ title }) => ({ kind: 'text', value: title })));
  for await (const { rows, labels } of pages) yield rows.map((row) => rowXml(columns.map((column) => xlsxCell(row, column, { ...format, labels })))).join('');
}
/** Values as the API has them, by key. */
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

/** `GET …/export`: records as a file, streamed from one snapshot of the table. Who leaves ends the question. */
export function registerExport(app: FastifyInstance, ctx: Context): void {
  const placeFor = downloadPlaces({ all: 4 });
  route(app, ctx, endpoints.exportRecords, async (call) => {
    const { site, session, query, locale, reply } = call;
    const reader: Reader = { role: site.role, userId: session.userId };
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
      const asked = {
        filter: filters.length === 0 ? null : filters.length === 1 ? filters[0] : { and: filters },
        q: query.q,
        sort: query.sort,
        fields: names,
        ids: query.ids?.split(',').map((id) => id.trim()),
        trash: query.trash,
        locale: query.locale,
      };
      return { context: one, ...(await exportPages(ctx, one, asked, { signal, most: query.format === 'xlsx' ? transferLimits.rows : null })) };
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
    const shown = asIs.filter(({ of }) => typeof of === 'string' || of.type !== 'button');
    const columns = query.withId && !shown.some(({ of }) => of === '$id') ? [{ title: systemTitles.$id[locale], of: '$id' as const }, ...shown] : shown;
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
    asDownload(reply, `${table.title.replaceAll(/[/\\:*?"<>|]/g, '_')}.${query.format}`, types[query.format]);
    if (query.format === 'xlsx') return reply.send(workbook(table.title, rowsXml(pages, columns, format)));
    return reply.send(Readable.from(query.format === 'json' ? jsonOf(pages, columns) : csvOf(pages, columns, format, query.delimiter), { objectMode: false }));
  });
}
