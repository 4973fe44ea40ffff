import type { TableField } from './schemas';

/** A decimal as people read it, 1,234.50: digit by digit, because a number of JavaScript would lose some. What is no decimal stays as it is. */
export function decimalText(text: string, decimals?: number): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (!match) return text;
  const [, sign = '', whole = '0', part = ''] = match;
  const shown = decimals === undefined ? part : part.padEnd(decimals, '0');
  return `${sign === '' ? '' : '−'}${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}${shown === '' ? '' : `.${shown}`}`;
}

const symbols = new Map<string, string>();
function symbolOf(currency: string, locale: string): string {
  const key = `${currency} ${locale}`;
  let found = symbols.get(key);
  if (found === undefined) {
    try {
      found =
        new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
          .formatToParts(0)
          .find((part) => part.type === 'currency')?.value ?? currency;
    } catch {
      found = currency;
    }
    symbols.set(key, found);
  }
  return found;
}

/** A number with what its field says about it: ¥1,234.50 · 12.5% · 3 kg. `text`: the decimal as it is kept. */
export function numberText({ type, options }: Pick<TableField, 'type' | 'options'>, text: string, locale: string): string {
  const number = decimalText(text, options.decimals);
  if (type === 'currency') return `${symbolOf(options.currency ?? 'CNY', locale)}${number}`.replace(/^(.+?)−/, '−$1');
  if (type === 'percent') return `${number}%`;
  return options.unit === undefined ? number : `${number} ${options.unit}`;
}
