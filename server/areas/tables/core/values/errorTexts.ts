import type { FieldCode } from '../../../../../contract/errors';
import type { FieldType } from '../../../../../contract/tables/terms';
import type { Locale } from '../../../../http/access';
import type { FieldError } from '../../../../http/failure';

/** Error messages for values of cells; codes that no record value can have share a general message. */
const messages: Record<Locale, Partial<Record<FieldCode, string>> & { readonly pattern: string }> = {
  'zh-CN': {
    required: '必填',
    too_short: '太短',
    too_long: '太长',
    wrong_type: '类型不符',
    pattern: '格式不正确',
    out_of_range: '超出范围',
    too_many_decimals: '小数位数过多',
    unknown_field: '没有这个字段',
    taken: '与其他记录重复',
    not_an_email: '不是有效的邮箱地址',
    not_a_url: '不是完整的网址',
    forbidden_characters: '含有不能使用的字符',
    duplicate: '重复',
    unknown: '找不到对应的内容',
    negative: '不能小于 0',
    readonly: '不能修改',
  },
  en: {
    required: 'Required',
    too_short: 'Too short',
    too_long: 'Too long',
    wrong_type: 'Wrong type of value',
    pattern: 'Wrong format',
    out_of_range: 'Out of range',
    too_many_decimals: 'Too many decimals',
    unknown_field: 'There is no such field',
    taken: 'Another record has the same',
    not_an_email: 'Not an e-mail address',
    not_a_url: 'Not a whole web address',
    forbidden_characters: 'Has a character that cannot be used',
    duplicate: 'Given twice',
    unknown: 'Nothing of that name was found',
    negative: 'Must not be below 0',
    readonly: 'Cannot be changed',
  },
};
const least: Record<Locale, (min: number) => string> = { 'zh-CN': (min) => `至少 ${min} 个字符`, en: (min) => `At least ${min} characters` };
const most: Record<Locale, (max: number) => string> = { 'zh-CN': (max) => `最多 ${max} 个字符`, en: (max) => `At most ${max} characters` };
const atLeast: Record<Locale, (min: number) => string> = { 'zh-CN': (min) => `不能小于 ${min}`, en: (min) => `Must not be below ${min}` };
const atMost: Record<Locale, (max: number) => string> = { 'zh-CN': (max) => `不能大于 ${max}`, en: (max) => `Must not be above ${max}` };
const decimals: Record<Locale, (max: number) => string> = {
  'zh-CN': (max) => (max === 0 ? '不能有小数' : `最多 ${max} 位小数`),
  en: (max) => (max === 0 ? 'Whole numbers only' : max === 1 ? 'At most 1 decimal' : `At most ${max} decimals`),
};
const between: Record<Locale, (min: number, max: number) => string> = {
  'zh-CN': (min, max) => `须在 ${min} 到 ${max} 之间`,
  en: (min, max) => `Must be from ${min} to ${max}`,
};

/** What a field type expects, for values of the wrong type. */
const typeMessages: Record<Locale, Partial<Record<FieldType, string>>> = {
  'zh-CN': {
    integer: '要填整数',
    rating: '要填整数',
    autonumber: '要填整数',
    number: '要填数字',
    currency: '要填数字',
    percent: '要填数字',
    duration: '要填时长，如 1:30:00',
    date: '要填日期，如 2026-05-01',
    datetime: '要填日期和时间，如 2026-05-01 09:30',
    time: '要填时间，如 09:30',
    switch: '要填“是”或“否”',
    geo: '要填纬度和经度，如 31.23, 121.47',
    json: '要填 JSON',
    repeater: '要填 JSON 列表',
  },
  en: {
    integer: 'Needs a whole number',
    rating: 'Needs a whole number',
    autonumber: 'Needs a whole number',
    number: 'Needs a number',
    currency: 'Needs a number',
    percent: 'Needs a number',
    duration: 'Needs a duration such as 1:30:00',
    date: 'Needs a date such as 2026-05-01',
    datetime: 'Needs a date and time such as 2026-05-01 09:30',
    time: 'Needs a time such as 09:30',
    switch: 'Needs yes or no',
    geo: 'Needs latitude and longitude such as 31.23, 121.47',
    json: 'Needs JSON',
    repeater: 'Needs a JSON list',
  },
};

/** The rule's own message if it has one, else a standard one with its limits. `type`: type of the field, which says what is expected. */
export function errorText({ code, min, max, message }: FieldError, locale: Locale, type?: FieldType): string {
  if (message !== undefined) return message;
  const instead = code === 'wrong_type' && type !== undefined ? typeMessages[locale][type] : undefined;
  if (instead !== undefined) return instead;
  if (code === 'too_short' && min !== undefined) return least[locale](min);
  if (code === 'too_long' && max !== undefined) return most[locale](max);
  if (code === 'too_many_decimals' && max !== undefined) return decimals[locale](max);
  if (code === 'out_of_range' && min !== undefined && max !== undefined) return between[locale](min, max);
  if (code === 'out_of_range' && min !== undefined) return atLeast[locale](min);
  if (code === 'out_of_range' && max !== undefined) return atMost[locale](max);
  return messages[locale][code] ?? messages[locale].pattern;
}
