const symbols = new Map<string, string>();
/** The narrow symbol of a currency (ISO 4217) in a language; its code if it has none. */
export function symbolOf(currency: string, locale: string): string {
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
