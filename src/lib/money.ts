import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { withMinus } from './format';

/** `¥`, `US$`, `JPY`: people copy the symbol along with the amount. */
const symbol = /^(?:[A-Z]{0,3}[¥$€£]|[A-Z]{3})/;
const shape = /^(\d+|\d{1,3}(?:,\d{3})+)?(?:\.(\d*))?$/;

/**
 * Parses a typed decimal number to an integer of its smallest unit: `12.5` with two digits is 1250. Full-width digits and punctuation are accepted;
 * commas may only separate groups of three, because `12,50` is ambiguous. Null if it is not such a number, has more decimals than `digits`, or is too
 * large to be exact.
 */
export function parseFixed(text: string, digits: number): number | null {
  const plain = text.normalize('NFKC').replaceAll('。', '.').replaceAll(/\s/g, '').replace(symbol, '');
  const found = shape.exec(plain);
  const whole = (found?.[1] ?? '').replaceAll(',', '');
  const fraction = found?.[2] ?? '';
  if (!found || whole + fraction === '' || /[1-9]/.test(fraction.slice(digits))) return null;
  const value = Number(whole + fraction.slice(0, digits).padEnd(digits, '0'));
  return Number.isSafeInteger(value) ? value : null;
}

/** The inverse: 125000 with two digits is `1250.00`, or `1,250.00` in groups. */
export function fixedText(value: number, digits: number, grouped = false): string {
  const figures = String(Math.abs(value)).padStart(digits + 1, '0');
  const whole = figures.slice(0, figures.length - digits);
  const fraction = digits === 0 ? '' : `.${figures.slice(figures.length - digits)}`;
  return `${value < 0 ? '-' : ''}${grouped ? whole.replaceAll(/\B(?=(\d{3})+$)/g, ',') : whole}${fraction}`;
}

/** Amounts in yuan are the rule: in every language their sign is ¥ alone. English writes yen with the same sign, so there they have their code. */
const styleOf = (locale: string, currency: string): Intl.NumberFormatOptions => ({
  style: 'currency',
  currency,
  currencyDisplay: currency === 'CNY' ? 'narrowSymbol' : currency === 'JPY' && !locale.startsWith('zh') ? 'code' : 'symbol',
});

type MoneyWriter = (minor: number, currency: string, digits: number) => string;

/** Formats minor units as money in one language: 125000 CNY is ¥1,250.00. `digits`: decimals of the currency's minor unit. */
export function makeMoneyWriter(locale: string): MoneyWriter {
  const writers = new Map<string, Intl.NumberFormat>();
  return (minor, currency, digits) => {
    let writer = writers.get(currency);
    if (!writer) {
      writer = new Intl.NumberFormat(locale, { ...styleOf(locale, currency), minimumFractionDigits: digits, maximumFractionDigits: digits });
      writers.set(currency, writer);
    }
    // As text, so that large amounts keep every digit.
    return withMinus(writer.format(fixedText(minor, digits) as Intl.StringNumericLiteral));
  };
}

/** The money formatter of the interface's language. */
export function useMoneyWriter(): MoneyWriter {
  const { i18n } = useTranslation();
  return useMemo(() => makeMoneyWriter(i18n.language), [i18n.language]);
}

/** `¥`, `US$`: shown in front of an amount field. */
export const currencySymbol = (locale: string, currency: string): string =>
  new Intl.NumberFormat(locale, styleOf(locale, currency)).formatToParts(0).find((part) => part.type === 'currency')?.value ?? currency;
