import type { FormulaType } from './formulaTypes';

/**
 * Type of a parameter. `text` accepts every value that can be written as text; `value` the same, unchanged; `readable` texts, numbers and booleans;
 * `truth` anything (empty, 0 and "" are false); `moment` dates and instants, also as `"2026-11-20"`; `unit` and `format` are literals.
 */
export type Param = 'text' | 'number' | 'moment' | 'value' | 'readable' | 'truth' | 'any' | 'unit' | 'format';

type BilingualText = { readonly zh: string; readonly en: string };
export type FormulaFunction = {
  readonly name: string;
  readonly group: 'logic' | 'text' | 'number' | 'date';
  readonly params: readonly Param[];
  /** Minimum number of arguments. */
  readonly least: number;
  /** Type of further arguments; if missing, there may be no more than `params`. */
  readonly rest?: Param;
  readonly result: FormulaType | 'branches' | 'all' | 'moment';
  /** With parameter names, optional ones in square brackets. */
  readonly signature: BilingualText;
  readonly says: BilingualText;
};

const fn = (
  name: string,
  group: FormulaFunction['group'],
  paramList: string,
  result: FormulaFunction['result'],
  zh: readonly [string, string],
  en: readonly [string, string],
): FormulaFunction => {
  // `text number?` has an optional last parameter, `number*` takes one or more, `any any*` one and any number of further ones.
  const paramSpecs = paramList === '' ? [] : paramList.split(' ');
  const params = paramSpecs.map((word) => word.replace(/[?*]$/, '') as Param);
  const rest = paramSpecs.at(-1)?.endsWith('*') ? params.at(-1) : undefined;
  const least = Math.max(rest ? 1 : 0, paramSpecs.filter((word) => !/[?*]$/.test(word)).length);
  return {
    name,
    group,
    params,
    least,
    ...(rest ? { rest } : {}),
    result,
    signature: { zh: `${name}(${zh[0]})`, en: `${name}(${en[0]})` },
    says: { zh: zh[1], en: en[1] },
  };
};

/** In the order of the editor's suggestions. */
export const formulaFunctions: readonly FormulaFunction[] = [
  fn(
    'IF',
    'logic',
    'truth any any?',
    'branches',
    ['条件, 成立时, [否则]', '条件成立取第一个值，否则取第二个'],
    ['condition, then, [else]', 'The first value if the condition holds, else the second'],
  ),
  fn(
    'SWITCH',
    'logic',
    'any any any any*',
    'branches',
    ['值, 情况1, 结果1, …, [否则]', '按值逐个对照，取对应的结果'],
    ['value, case1, result1, …, [else]', 'The result that belongs to the first case that equals the value'],
  ),
  fn('AND', 'logic', 'truth*', 'boolean', ['条件, …', '全部条件都成立'], ['condition, …', 'True if all conditions hold']),
  fn('OR', 'logic', 'truth*', 'boolean', ['条件, …', '至少一个条件成立'], ['condition, …', 'True if any condition holds']),
  fn('NOT', 'logic', 'truth', 'boolean', ['条件', '条件不成立'], ['condition', 'True if the condition does not hold']),
  fn('ISBLANK', 'logic', 'any', 'boolean', ['值', '值为空'], ['value', 'True if there is no value']),
  fn('COALESCE', 'logic', 'value*', 'all', ['值, …', '取第一个不为空的值'], ['value, …', 'The first value that is not empty']),
  fn('BLANK', 'logic', '', 'blank', ['', '空值'], ['', 'An empty value']),
  fn('CONCAT', 'text', 'text*', 'text', ['值, …', '把多个值连成一段文本，等同于 &'], ['value, …', 'Joins values into one text, like &']),
  fn('LEFT', 'text', 'text number?', 'text', ['文本, [字数]', '取开头的几个字'], ['text, [count]', 'The first characters of a text']),
  fn('RIGHT', 'text', 'text number?', 'text', ['文本, [字数]', '取末尾的几个字'], ['text, [count]', 'The last characters of a text']),
  fn(
    'MID',
    'text',
    'text number number',
    'text',
    ['文本, 起始位置, 字数', '从某个位置起取几个字，第一个字的位置是 1'],
    ['text, start, count', 'Characters from a position on; the first is 1'],
  ),
  fn('LEN', 'text', 'text', 'number', ['文本', '文本的字数'], ['text', 'How many characters a text has']),
  fn('UPPER', 'text', 'text', 'text', ['文本', '字母转为大写'], ['text', 'The text in capitals']),
  fn('LOWER', 'text', 'text', 'text', ['文本', '字母转为小写'], ['text', 'The text in small letters']),
  fn('TRIM', 'text', 'text', 'text', ['文本', '去掉首尾空白'], ['text', 'The text without space at its ends']),
  fn(
    'SUBSTITUTE',
    'text',
    'text text text',
    'text',
    ['文本, 原文, 新文', '把文本中的原文全部换成新文'],
    ['text, old, new', 'The text with every old part replaced by a new one'],
  ),
  fn(
    'CONTAINS',
    'text',
    'text text',
    'boolean',
    ['文本, 查找内容', '文本中含有查找内容，不区分大小写'],
    ['text, part', 'True if the text contains a part; case does not matter'],
  ),
  fn(
    'FIND',
    'text',
    'text text number?',
    'number',
    ['查找内容, 文本, [起始位置]', '查找内容首次出现的位置，没有则为 0；区分大小写'],
    ['part, text, [start]', 'Where a part first stands in the text, 0 if nowhere; case matters'],
  ),
  fn(
    'TEXT',
    'text',
    'value format?',
    'text',
    ['值, [格式]', '转为文本，如 "#,##0.00"、"YYYY年M月D日"'],
    ['value, [format]', 'The value as text, e.g. "#,##0.00" or "YYYY-MM-DD"'],
  ),
  fn('VALUE', 'number', 'readable', 'number', ['文本', '把文本读作数字，读不懂则为空'], ['text', 'The number that a text says, or nothing']),
  fn('ROUND', 'number', 'number number?', 'number', ['数字, [小数位]', '四舍五入'], ['number, [digits]', 'Rounds, halves away from zero']),
  fn(
    'FLOOR',
    'number',
    'number number?',
    'number',
    ['数字, [倍数]', '向下取整，或取到某数的整数倍'],
    ['number, [step]', 'Rounds down to a whole number or a multiple of a step'],
  ),
  fn(
    'CEILING',
    'number',
    'number number?',
    'number',
    ['数字, [倍数]', '向上取整，或取到某数的整数倍'],
    ['number, [step]', 'Rounds up to a whole number or a multiple of a step'],
  ),
  fn('ABS', 'number', 'number', 'number', ['数字', '绝对值'], ['number', 'The number without its sign']),
  fn(
    'MIN',
    'number',
    'any*',
    'number',
    ['值, …', '最小的数字或最早的日期，忽略空值'],
    ['value, …', 'The least number or earliest date; empty ones are ignored'],
  ),
  fn(
    'MAX',
    'number',
    'any*',
    'number',
    ['值, …', '最大的数字或最晚的日期，忽略空值'],
    ['value, …', 'The greatest number or latest date; empty ones are ignored'],
  ),
  fn('SUM', 'number', 'number*', 'number', ['数字, …', '求和，忽略空值'], ['number, …', 'The sum; empty ones are ignored']),
  fn('AVERAGE', 'number', 'number*', 'number', ['数字, …', '平均值，忽略空值'], ['number, …', 'The mean; empty ones are ignored']),
  fn(
    'MOD',
    'number',
    'number number',
    'number',
    ['数字, 除数', '余数，正负号与除数相同'],
    ['number, divisor', 'The rest of a division, with the sign of the divisor'],
  ),
  fn('POWER', 'number', 'number number', 'number', ['底数, 指数', '乘方'], ['base, exponent', 'A number to a power']),
  fn('TODAY', 'date', '', 'date', ['', '今天（按站点时区）'], ['', 'Today, in the site’s time zone']),
  fn('NOW', 'date', '', 'datetime', ['', '现在的日期和时间'], ['', 'This moment']),
  fn('DATE', 'date', 'number number number', 'date', ['年, 月, 日', '由年、月、日组成日期'], ['year, month, day', 'A date of its parts']),
  fn(
    'DATEADD',
    'date',
    'moment number unit',
    'moment',
    ['日期, 数量, 单位', '往后推一段时间，单位如 "days"、"months"、"hours"；负数往前'],
    ['date, count, unit', 'A date moved on by "days", "months", "hours"…; back if negative'],
  ),
  fn(
    'DATEDIFF',
    'date',
    'moment moment unit?',
    'number',
    ['日期1, 日期2, [单位]', '日期1 减日期2，默认按天；不满一个单位不计'],
    ['date1, date2, [unit]', 'From date2 to date1 in whole units, days if not said'],
  ),
  fn('YEAR', 'date', 'moment', 'number', ['日期', '年份'], ['date', 'The year']),
  fn('MONTH', 'date', 'moment', 'number', ['日期', '月份，1 到 12'], ['date', 'The month, 1 to 12']),
  fn('DAY', 'date', 'moment', 'number', ['日期', '几号，1 到 31'], ['date', 'The day of the month']),
  fn('WEEKDAY', 'date', 'moment', 'number', ['日期', '星期几，周一为 1，周日为 7'], ['date', 'The day of the week: Monday is 1, Sunday 7']),
  fn('HOUR', 'date', 'moment', 'number', ['日期时间', '小时，0 到 23'], ['date', 'The hour, 0 to 23']),
  fn('MINUTE', 'date', 'moment', 'number', ['日期时间', '分钟，0 到 59'], ['date', 'The minute, 0 to 59']),
  fn('DATESTR', 'date', 'moment', 'text', ['日期', '写成 2026-11-20 的样子'], ['date', 'The date as text, 2026-11-20']),
];

/** Names used by other products for the same functions. */
const otherNames: Readonly<Record<string, string>> = {
  CONCATENATE: 'CONCAT',
  LENGTH: 'LEN',
  CEIL: 'CEILING',
  AVG: 'AVERAGE',
  POW: 'POWER',
  DATETIME_DIFF: 'DATEDIFF',
  DATETIME_FORMAT: 'TEXT',
};
const named = new Map(formulaFunctions.map((one) => [one.name, one]));
/** A function by its uppercase name. */
export const functionNamed = (name: string): FormulaFunction | undefined => named.get(otherNames[name] ?? name);
