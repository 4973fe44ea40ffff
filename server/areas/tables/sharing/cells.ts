import { momentText, removedChoice, textOf } from '../../../../contract/tables/fieldText';
import { numberText } from '../../../../contract/tables/numberText';
import type { ContentRecord, RecordLabels } from '../../../../contract/tables/records';
import type { OpenCell } from '../../../../contract/tables/shares';
import type { Locale } from '../../../http/access';
import type { FieldModel } from '../core/model';
import { valueWords } from './words';
import type { ShownColumn, ShownGroup } from './reach';

export type Told = {
  readonly labels: RecordLabels;
  readonly timeZone: string;
  readonly locale: Locale;
  /** For a file: long texts are not cut, and numbers are as they are kept. */ readonly whole?: boolean;
};

/** Characters of one cell; whoever wants a longer text whole takes the file. */
const longest = 2000;
const cut = (text: string): string => (text.length > longest ? `${Array.from(text).slice(0, longest).join('')}…` : text);
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const texts = (value: unknown): string[] => (Array.isArray(value) ? (value as readonly unknown[]).filter((one): one is string => typeof one === 'string') : []);

/** An address that may stand in a link of a page that anybody opens. */
function webAddress(text: string): string | null {
  try {
    const { protocol, href } = new URL(text);
    return protocol === 'http:' || protocol === 'https:' ? href : null;
  } catch {
    return null;
  }
}
const plainText = (html: string): string =>
  html
    .replaceAll(/<(?:br|\/p|\/li|\/h\d|\/div|\/tr)\b[^>]*>/gi, '\n')
    .replaceAll(/<[^>]*>?/g, '')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();

/** What a link, of those that have a name for this reader, is called; of people never more than their name. */
const named = (ids: readonly string[], names: Readonly<Record<string, string>>): string[] => ids.flatMap((id) => names[id] ?? []);

function systemText(record: ContentRecord, name: string, { timeZone, locale }: Told): string {
  const moment = (at: string | null): string => (at === null ? '' : momentText(at, timeZone));
  switch (name) {
    case '$n':
      return String(record.n);
    case '$state':
      return valueWords[locale].state[record.state] ?? '';
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

/** Numbers that are written in a way of their own. */
const ownText: ReadonlySet<FieldModel['type']> = new Set(['duration', 'rating', 'autonumber']);

function fieldCell(field: FieldModel, value: unknown, told: Told): OpenCell {
  const { labels, timeZone, locale } = told;
  const plain = (text: string): OpenCell => ({ text: told.whole ? text : cut(text) });
  if (value === null || value === undefined) return { text: '' };
  if (typeof value === 'boolean') return { text: valueWords[locale][value ? 'yes' : 'no'], checked: value };
  switch (field.type) {
    case 'select':
    case 'multiSelect': {
      const ids = typeof value === 'string' ? [value] : texts(value);
      const chips = ids.map((id) => {
        const choice = field.options.choices?.find((one) => one.id === id);
        return { title: choice?.title ?? removedChoice(locale), color: choice?.color ?? 'grey' };
      });
      return { text: chips.map(({ title }) => title).join(', '), chips };
    }
    case 'tags':
      return { text: texts(value).join(', '), chips: texts(value).map((title) => ({ title, color: 'grey' })) };
    case 'user':
      return plain(named(typeof value === 'string' ? [value] : [], labels.people).join(''));
    case 'relation':
    case 'relations':
    case 'inverse':
      return plain(named(typeof value === 'string' ? [value] : texts(value), labels.records).join(', '));
    case 'richText':
      return plain(typeof value === 'string' ? plainText(value) : '');
    case 'url': {
      const address = typeof value === 'string' ? value : '';
      const href = webAddress(address);
      return { ...plain(address), ...(href === null ? {} : { links: [{ href, title: address }] }) };
    }
    case 'file':
    case 'image':
    case 'svg':
    case 'video': {
      const links = (Array.isArray(value) ? (value as readonly unknown[]) : []).flatMap((one) => {
        if (!isObject(one) || typeof one['url'] !== 'string') return [];
        const href = webAddress(one['url']);
        const name = typeof one['name'] === 'string' && one['name'] !== '' ? one['name'] : (one['url'].split(/[?#]/)[0]?.split('/').at(-1) ?? '');
        return href === null ? [] : [{ href, title: name === '' ? href : name }];
      });
      return { text: links.map(({ title }) => title).join(', '), links };
    }
    default:
      if (field.yields === 'number' && !ownText.has(field.type) && !told.whole && (typeof value === 'string' || typeof value === 'number'))
        return plain(numberText(field, String(value), locale));
      if (field.yields === 'datetime' && typeof value === 'string') return plain(momentText(value, timeZone));
      return plain(textOf(field, value, { timeZone, removed: removedChoice(locale) }));
  }
}

export const cellOf = (record: ContentRecord, column: ShownColumn, told: Told): OpenCell =>
  typeof column === 'string' ? { text: systemText(record, column, told) } : fieldCell(column, record.values[column.id], told);

/** What a row is put together by: the value as it is read, of days no more than the day, month or year. */
export function groupText(record: ContentRecord, { column, unit }: ShownGroup, told: Told): string {
  const { text } = cellOf(record, column, told);
  return unit === null ? text : text.slice(0, unit === 'year' ? 4 : unit === 'month' ? 7 : 10);
}
