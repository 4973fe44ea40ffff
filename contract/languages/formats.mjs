/**
 * How dates, times and amounts of money are written on pages in a language. The console uses it to show what a choice does. It is plain JavaScript, because during
 * development the threads that render templates load it without a build.
 */

/** Formats by language and options: to make one takes as long as dozens of uses. */
const known = new Map();
const mostKnown = 200;
function formatOf(Format, language, options) {
  const key = `${Format.name} ${language} ${JSON.stringify(options)}`;
  let format = known.get(key);
  if (format === undefined) {
    format = new Format(language, options);
    if (known.size >= mostKnown) known.clear();
    known.set(key, format);
  }
  return format;
}

const styles = new Set(['short', 'medium', 'long', 'full']);
export const isDay = (value) => /^\d{4}-\d{2}-\d{2}$/.test(String(value));
/** A day as a moment at which it is that day in UTC. */
const momentOf = (value) => new Date(isDay(value) ? `${value}T00:00:00Z` : value);
const isoParts = { calendar: 'iso8601', numberingSystem: 'latn', year: 'numeric', month: '2-digit', day: '2-digit' };

function isoDay(date, timeZone) {
  const parts = formatOf(Intl.DateTimeFormat, 'en', { ...isoParts, timeZone }).formatToParts(date);
  return ['year', 'month', 'day'].map((type) => parts.find((part) => part.type === type)?.value ?? '').join('-');
}

export function dateText(value, { language, timeZone, dateStyle }, style = 'long') {
  const date = momentOf(value);
  if (Number.isNaN(date.getTime())) return String(value);
  const zone = isDay(value) ? 'UTC' : timeZone;
  const chosen = dateStyle ?? (styles.has(style) || style === 'iso' ? style : 'long');
  return chosen === 'iso' ? isoDay(date, zone) : formatOf(Intl.DateTimeFormat, language, { dateStyle: chosen, timeZone: zone }).format(date);
}

export function timeText(value, { language, timeZone }) {
  const date = momentOf(value);
  if (Number.isNaN(date.getTime())) return String(value);
  return isDay(value) ? '' : formatOf(Intl.DateTimeFormat, language, { timeStyle: 'short', timeZone }).format(date);
}

export function numberText(value, { language }) {
  const number = Number(value);
  return Number.isFinite(number) ? formatOf(Intl.NumberFormat, language, {}).format(number) : String(value ?? '');
}

export function moneyText(value, { language, currency }, own) {
  const { amount = value, currency: ofAmount = null, decimals = null } = typeof value === 'object' && value !== null ? value : {};
  const number = Number(amount);
  if (!Number.isFinite(number)) return String(amount ?? '');
  const code = [own, ofAmount, currency].find((one) => typeof one === 'string' && /^[A-Z]{3}$/.test(one));
  const digits = decimals === null ? {} : { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return formatOf(Intl.NumberFormat, language, { ...(code && { style: 'currency', currency: code }), ...digits }).format(number);
}
