import type { OpenField } from '@contract/tables/forms';
import type { FieldErrors } from '../call';
import { fill, useLocale } from '../useMessages';
import en from './messages.en';
import zh from './messages.zh-CN';
import type { FormMessages } from './messages.zh-CN';

export const useFormMessages = (): FormMessages => (useLocale() === 'en' ? en : zh);

const numbers = new Set<OpenField['type']>(['integer', 'number', 'currency', 'percent']);
const lists = new Set<OpenField['type']>(['multiSelect', 'tags']);
const isMessageKey = (messages: FormMessages, key: string): key is keyof FormMessages => Object.hasOwn(messages, key);

/** The limits of a field as text; '' where it has none. */
export function boundsOf(messages: FormMessages, { type, options }: Pick<OpenField, 'type' | 'options'>): string {
  const { min, max, most } = options;
  if (type === 'multiSelect') return most === undefined ? '' : fill(messages.mostHint, { n: most });
  if (type === 'rating') return '';
  if (min !== undefined && max !== undefined) return fill(messages.numberHint, { min, max });
  return min === undefined ? (max === undefined ? '' : fill(messages.maxHint, { max })) : fill(messages.minHint, { min });
}

const megabytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(bytes < 10 * 2 ** 20 ? 1 : 0).replace(/\.0$/, '');
/** A size in bytes as people read it. */
export const sizeText = (bytes: number): string => (bytes < 2 ** 20 ? `${Math.max(1, Math.round(bytes / 1024))} KB` : `${megabytes(bytes)} MB`);
/** Which files a field takes. */
export const filesHint = (messages: FormMessages, { most, maxBytes }: NonNullable<OpenField['files']>): string =>
  fill(most === 1 ? messages.fileHint : messages.filesHint, { n: most, size: sizeText(maxBytes) });

/** The error message of a field, in the visitor's language; the site's own messages take precedence. */
export function fieldErrorMessage(messages: FormMessages, field: OpenField | undefined, { code, min, max, message }: FieldErrors[string]): string {
  if (message !== undefined) return message;
  const type = field?.type ?? 'text';
  if (field?.files && code === 'unknown') return messages.error_file_gone;
  if (field?.files && code === 'too_long' && max !== undefined) return fill(messages.error_too_many_max, { max });
  if (field?.files && code === 'required') return messages.error_choose;
  if (code === 'required' && type === 'switch') return messages.error_tick;
  if (code === 'required' && (type === 'select' || type === 'multiSelect' || type === 'rating')) return messages.error_choose;
  if (code === 'wrong_type' && numbers.has(type)) return messages.error_wrong_number;
  if (code === 'too_many_decimals' && max !== undefined) return max === 0 ? messages.error_no_decimals : fill(messages.error_decimals_max, { max });
  if (code === 'out_of_range' && field) return boundsOf(messages, field) || messages.error_out_of_range;
  if (code === 'too_long' && max !== undefined) return fill(lists.has(type) ? messages.error_too_many_max : messages.error_too_long_max, { max });
  if (code === 'too_short' && min !== undefined) return fill(messages.error_too_short_min, { min });
  const key = `error_${code}`;
  return isMessageKey(messages, key) ? messages[key] : messages.error_wrong_type;
}
