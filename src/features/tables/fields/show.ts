import { removedChoice } from '@contract/tables/fieldText';
import { numberText } from '@contract/tables/numberText';
import type { FieldEnv, ShownField } from './env';
import { asFiles, asText, asTexts, fileName, labelIn, shownAs } from './env';

/** 1:05:09 · 0:45. Whole seconds. */
export function showDuration(seconds: number): string {
  const s = Math.abs(Math.round(seconds));
  const two = (n: number): string => String(n).padStart(2, '0');
  const text =
    s >= 3600 ? `${String(Math.floor(s / 3600))}:${two(Math.floor((s % 3600) / 60))}:${two(s % 60)}` : `${String(Math.floor(s / 60))}:${two(s % 60)}`;
  return seconds < 0 ? `−${text}` : text;
}

/** HTML of rich text as one line of plain text. Not for showing as HTML: only for a glance. */
export const plainOf = (html: string): string =>
  html
    .slice(0, 4000)
    .replaceAll(/<(script|style)[\s\S]*?<\/\1>/gi, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(nbsp|amp|lt|gt|quot|#39);/g, (_, name: string) => ({ nbsp: ' ', amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[name] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** A value in a line of text, in the reader's language; for cells, for search of what is seen, for screen readers. Empty is an empty text. */
export function showValue(field: ShownField, value: unknown, env: FieldEnv): string {
  if (value === null || value === undefined || value === '') return '';
  const { type, options } = field;
  switch (type) {
    case 'select':
    case 'multiSelect':
      return asTexts(value)
        .map((id) => options.choices?.find((one) => one.id === id)?.title ?? removedChoice(env.format.locale))
        .join('、');
    case 'user':
      return asTexts(value)
        .map((id) => labelIn(env, 'people', id) ?? '…')
        .join('、');
    case 'relation':
    case 'relations':
    case 'inverse':
      return asTexts(value)
        .map((id) => labelIn(env, 'records', id) ?? '…')
        .join('、');
    case 'file':
    case 'image':
    case 'svg':
    case 'video':
      return asFiles(value).map(fileName).join('、');
    case 'geo': {
      const point = value as { lat?: unknown; lng?: unknown };
      return typeof point.lat === 'number' && typeof point.lng === 'number' ? `${String(point.lat)}, ${String(point.lng)}` : '';
    }
    case 'duration':
      return typeof value === 'number' ? showDuration(value) : asText(value);
    case 'autonumber':
      return `${options.prefix ?? ''}${asText(value).padStart(options.pad ?? 0, '0')}`;
    case 'richText':
      return plainOf(asText(value));
    case 'password':
      return '••••••';
    case 'json':
    case 'repeater':
      return JSON.stringify(value);
    default:
  }
  if (Array.isArray(value)) return value.map((one) => showValue(field, one, env)).join('、');
  if (typeof value === 'object') return JSON.stringify(value);
  const text = asText(value);
  switch (shownAs(field)) {
    case 'number':
      return numberText(field, asText(value), env.format.locale);
    case 'datetime':
      return Number.isNaN(Date.parse(text)) ? text : env.format.dateTime(text, { timeZone: env.timeZone });
    case 'time':
      return text.replace(/^(\d\d:\d\d):00$/, '$1');
    default:
      return text;
  }
}
