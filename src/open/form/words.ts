import type { OpenField } from '@contract/tables/forms';
import type { Faults } from '../call';
import { fill, useLocale } from '../words';
import en from './messages.en';
import zh from './messages.zh-CN';
import type { FormMessages } from './messages.zh-CN';

export const useFormWords = (): FormMessages => (useLocale() === 'en' ? en : zh);

const numbers = new Set<OpenField['type']>(['integer', 'number', 'currency', 'percent']);
const lists = new Set<OpenField['type']>(['multiSelect', 'tags']);
const isWord = (words: FormMessages, key: string): key is keyof FormMessages => Object.hasOwn(words, key);

/** The bounds of a field in words; '' where it has none. */
export function boundsOf(words: FormMessages, { type, options }: Pick<OpenField, 'type' | 'options'>): string {
  const { min, max, most } = options;
  if (type === 'multiSelect') return most === undefined ? '' : fill(words.mostHint, { n: most });
  if (type === 'rating') return '';
  if (min !== undefined && max !== undefined) return fill(words.numberHint, { min, max });
  return min === undefined ? (max === undefined ? '' : fill(words.maxHint, { max })) : fill(words.minHint, { min });
}

/** What is wrong with a field, in the visitor's language; words of the site's own go first. */
export function faultWords(words: FormMessages, field: OpenField | undefined, { code, min, max, message }: Faults[string]): string {
  if (message !== undefined) return message;
  const type = field?.type ?? 'text';
  if (code === 'required' && type === 'switch') return words.fault_tick;
  if (code === 'required' && (type === 'select' || type === 'multiSelect' || type === 'rating')) return words.fault_choose;
  if (code === 'wrong_type' && numbers.has(type)) return words.fault_wrong_number;
  if (code === 'too_many_decimals' && max !== undefined) return max === 0 ? words.fault_no_decimals : fill(words.fault_decimals_max, { max });
  if (code === 'out_of_range' && field) return boundsOf(words, field) || words.fault_out_of_range;
  if (code === 'too_long' && max !== undefined) return fill(lists.has(type) ? words.fault_too_many_max : words.fault_too_long_max, { max });
  if (code === 'too_short' && min !== undefined) return fill(words.fault_too_short_min, { min });
  const key = `fault_${code}`;
  return isWord(words, key) ? words[key] : words.fault_wrong_type;
}
