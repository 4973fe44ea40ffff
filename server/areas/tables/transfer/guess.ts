import { readDate, readMoment, readNumber, splitList } from '../../../../contract/tables/fieldText';
import type { FieldType } from '../../../../contract/tables/terms';
import { valueOf } from '../core/values/check';
import { addressOf } from '../core/values/texts';

/** Maximum lengths of a single-line text, and of a choice or tag. */
const shortText = 200;
const shortTitle = 40;
const mostChoices = 20;

const holds = (work: () => unknown): boolean => {
  try {
    return work() !== null;
  } catch {
    return false;
  }
};
const yesNo = new Set(['true', 'false', 'yes', 'no', '是', '否', '√', '×', '✓', '✗', 'y', 'n']);

/** Codes like 12E5 are more often names than powers of ten, which spreadsheets write with a sign: 1.20E+06. */
const isNumber = (text: string): boolean =>
  /^[-+−(]?\s*[¥￥$＄€£]?\s*\d/.test(text) && !/^0\d/.test(text) && !/^\d+e\d+$/i.test(text) && text.length <= 30 && readNumber(text) !== null;
const isPhone = (text: string): boolean => /^(?:\+\d[\d\s()-]{6,18}|1[3-9]\d{9}|0\d{2,3}[-\s]\d{7,8}|\(\d{3}\)\s?\d{3}-\d{4})$/.test(text);
const isDay = (text: string): boolean => /\d/.test(text) && /[-/.年\s]/.test(text) && text.length <= 30 && readDate(text) !== null;
const hasTime = (text: string): boolean => /\d\s*[:点时]\s*\d|[ap]m$/i.test(text) && readMoment(text) !== null;

/** The most specific type that fits all given values of a column; text if none does. Codes with leading zeros stay texts. */
export function typeOf(values: readonly string[]): FieldType {
  const texts = values.map((value) => value.trim()).filter((value) => value !== '');
  if (texts.length === 0) return 'text';
  const all = (test: (text: string) => boolean): boolean => texts.every(test);
  const distinct = new Set(texts);
  if (all((text) => yesNo.has(text.toLowerCase()))) return 'switch';
  if (all(isPhone)) return 'phone';
  if (all((text) => isNumber(text) && text.endsWith('%'))) return 'percent';
  if (all(isNumber)) return all((text) => /^[-+]?\d{1,15}$/.test(text.replaceAll(',', ''))) ? 'integer' : 'number';
  if (all(isDay)) return texts.some(hasTime) && all((text) => readMoment(text) !== null) ? 'datetime' : 'date';
  if (all((text) => text.includes('@') && holds(() => valueOf({ type: 'email', options: {} }, text)))) return 'email';
  if (all((text) => /^https?:\/\//i.test(text) && holds(() => addressOf(text)))) return 'url';
  if (texts.some((text) => text.length > shortText || /[\r\n]/.test(text))) return 'longText';
  if (distinct.size <= mostChoices && distinct.size <= texts.length / 3 && all((text) => text.length <= shortTitle && splitList(text).length === 1))
    return 'select';
  const parts = texts.map(splitList);
  const titles = new Set(parts.flat());
  const several = parts.filter((list) => list.length > 1).length;
  if (
    several >= Math.max(2, texts.length / 4) &&
    titles.size <= 50 &&
    titles.size <= parts.flat().length / 2 &&
    parts.flat().every((title) => title.length <= 20)
  )
    return 'multiSelect';
  return 'text';
}
