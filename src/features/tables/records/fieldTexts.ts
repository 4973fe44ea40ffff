import type { RecordLabels } from '@contract/records';
import type { TableField } from '@contract/tables';
import type { ShownField } from '../fields/env';
import type { Parsed } from '../grid/types';

/**
 * A value as plain text, for the clipboard and for typing in a cell: exact, without separators. What a text cannot say (a wrong date, an unknown choice) goes to
 * the server as it was typed, which refuses it with its reason; so nothing typed is lost.
 */
const none: RecordLabels = { records: {}, people: {} };
const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === 'string');

export function writeText(field: TableField | null, value: unknown, labels: RecordLabels = none): string {
  if (value === null || value === undefined) return '';
  switch (field?.type) {
    case 'select':
    case 'multiSelect':
      return texts(value)
        .map((id) => field.options.choices?.find((one) => one.id === id)?.title ?? id)
        .join(', ');
    case 'relation':
    case 'relations':
    case 'inverse':
      return texts(value)
        .map((id) => labels.records[id] ?? id)
        .join(', ');
    case 'user':
      return texts(value)
        .map((id) => labels.people[id] ?? id)
        .join(', ');
    default:
  }
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : typeof value === 'string' ? value : JSON.stringify(value);
}

const yes = /^(true|yes|y|1|\u662f|\u5bf9|✓|√)$/i;
const numeric = /^-?\d+(\.\d+)?$/;
const fullWidth = (text: string): string =>
  text.replaceAll(/[０-９．－]/g, (sign) => (sign === '．' ? '.' : sign === '－' ? '-' : String.fromCharCode(sign.charCodeAt(0) - 0xfee0)));

/** Seconds of `1:05:09`, `2:30` or a bare number. */
function seconds(text: string): number | null {
  if (!/^\d+(:[0-5]?\d){0,2}$/.test(text)) return null;
  return text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
}

export function readText(field: ShownField, text: string): Parsed {
  const typed = text.trim();
  if (typed === '') return { value: null };
  const number = fullWidth(typed).replaceAll(/[,\s¥$€£%￥]/g, '');
  switch (field.type) {
    case 'integer':
    case 'rating':
      return { value: /^-?\d+$/.test(number) ? Number(number) : typed };
    case 'number':
    case 'currency':
    case 'percent':
      return { value: numeric.test(number) ? number : typed };
    case 'duration':
      return { value: seconds(typed) ?? typed };
    case 'switch':
      return { value: yes.test(typed) };
    case 'date': {
      const [, year = '', month = '', day = ''] = /^(\d{4})\D+(\d{1,2})\D+(\d{1,2})\D*$/.exec(typed) ?? [];
      return { value: year === '' ? typed : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` };
    }
    case 'time':
      return { value: /^\d{1,2}:\d{2}$/.test(typed) ? `${typed.padStart(5, '0')}:00` : typed };
    case 'select': {
      const found = field.options.choices?.find(({ id, title }) => title === typed || id === typed);
      return { value: found?.id ?? typed };
    }
    case 'multiSelect':
    case 'tags': {
      const parts = typed
        .split(/[,，、]\s*/)
        .map((part) => part.trim())
        .filter((part) => part !== '');
      return { value: parts.map((part) => field.options.choices?.find(({ title }) => title === part)?.id ?? part) };
    }
    case 'longText':
    case 'markdown':
    case 'text':
      return { value: text };
    default:
      return { value: typed };
  }
}
