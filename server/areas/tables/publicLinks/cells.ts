import { momentText, removedChoice, textOf } from '../../../../contract/tables/fieldText';
import { numberText } from '../../../../contract/tables/numberText';
import type { ContentRecord, RecordLabels } from '../../../../contract/tables/records';
import type { OpenCell } from '../../../../contract/tables/publicLinks';
import type { Locale } from '../../../http/access';
import { serverFieldTypeOf } from '../core/fieldTypes';
import type { FieldModel } from '../core/model';
import { valueTexts } from './valueTexts';
import type { ShownColumn, ShownGroup } from './reach';

export type CellFormat = {
  readonly labels: RecordLabels;
  readonly timeZone: string;
  readonly locale: Locale;
  /** For a file: long texts are not truncated, and numbers are unformatted. */ readonly whole?: boolean;
};

/** Maximum characters of a cell; files contain longer texts completely. */
const longest = 2000;
const cut = (text: string): string => (text.length > longest ? `${Array.from(text).slice(0, longest).join('')}…` : text);
function systemText(record: ContentRecord, name: string, { timeZone, locale }: CellFormat): string {
  const moment = (at: string | null): string => (at === null ? '' : momentText(at, timeZone));
  switch (name) {
    case '$n':
      return String(record.n);
    case '$state':
      return valueTexts[locale].state[record.state] ?? '';
    case '$createdAt':
      return moment(record.createdAt);
    case '$updatedAt':
      return moment(record.updatedAt);
    case '$publishedAt':
      return moment(record.publishedAt);
    default:
      return '';
  }
}

function fieldCell(field: FieldModel, value: unknown, format: CellFormat): OpenCell {
  const { labels, timeZone, locale } = format;
  const plain = (text: string): OpenCell => ({ text: format.whole ? text : cut(text) });
  if (value === null || value === undefined) return { text: '' };
  if (typeof value === 'boolean') return { text: valueTexts[locale][value ? 'yes' : 'no'], checked: value };
  const exported = (): OpenCell => plain(textOf(field, value, { timeZone, removed: removedChoice(locale) }));
  const { cell } = serverFieldTypeOf(field.type);
  if (cell) return cell(value, { labels, timeZone, locale, options: field.options, plain, exported });
  if (field.yields === 'number' && !format.whole && (typeof value === 'string' || typeof value === 'number'))
    return plain(numberText(field, String(value), locale));
  return field.yields === 'datetime' && typeof value === 'string' ? plain(momentText(value, timeZone)) : exported();
}

export const cellOf = (record: ContentRecord, column: ShownColumn, format: CellFormat): OpenCell =>
  typeof column === 'string' ? { text: systemText(record, column, format) } : fieldCell(column, record.values[column.id], format);

/** Group of a row: the displayed value; for dates, the day, month or year. */
export function groupText(record: ContentRecord, { column, unit }: ShownGroup, format: CellFormat): string {
  const { text } = cellOf(record, column, format);
  return unit === null ? text : text.slice(0, unit === 'year' ? 4 : unit === 'month' ? 7 : 10);
}
