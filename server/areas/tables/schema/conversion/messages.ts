import type { Locale } from '../../../../http/access';
import type { FieldError } from '../../../../http/failure';
import { errorText } from '../../core/values/errorTexts';
import type { LossNote } from '../../core/values/convert';

/** Messages for values that change with the type of their field. */
const lossMessages: Record<Locale, Record<LossNote, string>> = {
  'zh-CN': { rounded: '会四舍五入', time: '只留下日期或时间', first: '只留下第一项', format: '格式会去掉', changed: '写法会改变' },
  en: {
    rounded: 'Will be rounded',
    time: 'Only the date or the time stays',
    first: 'Only the first one stays',
    format: 'Formatting is lost',
    changed: 'Will be written differently',
  },
};
export const lossText = (note: LossNote, locale: Locale): string => lossMessages[locale][note];

const unreadable: Record<Locale, string> = { 'zh-CN': '无法识别为这种类型', en: 'Cannot be read as this type' };
/** Message for a value that does not fit the new type. */
export const misfitText = (error: FieldError, locale: Locale): string =>
  error.code === 'wrong_type' && error.message === undefined ? unreadable[locale] : errorText(error, locale);
