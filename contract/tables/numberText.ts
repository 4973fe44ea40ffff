import { fieldTypeOf } from './fieldTypes';
import type { TableField } from './schemas';

/** A formatted decimal, 1,234.50: as text, because JavaScript numbers would lose digits. Other text is unchanged. */
export function decimalText(text: string, decimals?: number): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (!match) return text;
  const [, sign = '', whole = '0', part = ''] = match;
  const fraction = decimals === undefined ? part : part.padEnd(decimals, '0');
  return `${sign === '' ? '' : '−'}${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}${fraction === '' ? '' : `.${fraction}`}`;
}

/** A number formatted by its field: ¥1,234.50 · 12.5% · 3 kg. `text`: the stored decimal. */
export function numberText({ type, options }: Pick<TableField, 'type' | 'options'>, text: string, locale: string): string {
  const number = decimalText(text, options.decimals);
  const own = fieldTypeOf(type).decimalText;
  if (own) return own(number, options, locale);
  return options.unit === undefined ? number : `${number} ${options.unit}`;
}
