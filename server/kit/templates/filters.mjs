/** Filters of themes, beside those of LiquidJS. Each is pure and takes plain JSON; those that return HTML escape what they are given. */
import { mix, readableOn, textOn } from './colors.mjs';

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text) => String(text ?? '').replaceAll(/[&<>"']/g, (character) => entities[character]);
const attributesOf = (pairs) =>
  pairs
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
    .join('');

/** A global of the rendering, such as `site`. */
const globalOf = (filter, name) => filter.context.getSync([name]);
const languageOf = (filter) => globalOf(filter, 'page')?.language ?? globalOf(filter, 'site')?.language ?? 'en';

/** The text of the theme for a key, in the language of the page; `{name}` is replaced by named arguments. The key itself if there is none. */
function translate(key, ...replacements) {
  const text = globalOf(this, 'texts')?.[key] ?? String(key);
  return replacements.reduce((result, [name, value]) => result.replaceAll(`{${name}}`, () => String(value ?? '')), text);
}

const dateStyles = new Set(['short', 'medium', 'long', 'full']);

/** A date or moment in the language of the page and the time zone of the site. Dates without a time are not shifted. */
function formatDate(value, style = 'long') {
  if (value === null || value === undefined || value === '') return '';
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(value);
  const date = new Date(isDay ? `${value}T00:00:00Z` : value);
  if (Number.isNaN(date.getTime())) return String(value);
  const timeZone = isDay ? 'UTC' : (globalOf(this, 'site')?.time_zone ?? 'UTC');
  return new Intl.DateTimeFormat(languageOf(this), { dateStyle: dateStyles.has(style) ? style : 'long', timeZone }).format(date);
}

function formatNumber(value) {
  const number = Number(value);
  return Number.isFinite(number) ? new Intl.NumberFormat(languageOf(this)).format(number) : String(value ?? '');
}

/** The address of a file in the folder `assets` of the theme; it changes with its content. */
function assetUrl(path) {
  return globalOf(this, 'assets')?.[path] ?? '';
}

const first = (files) => (Array.isArray(files) ? files[0] : files) ?? null;

/** `<img>` for the first file of a field: with `srcset` and dimensions, so that nothing moves while it loads. `sizes` as in HTML. */
function image(files, ...options) {
  const file = first(files);
  if (!file?.url) return '';
  const { sizes = '100vw', class: className, loading = 'lazy', alt } = Object.fromEntries(options);
  const scales = Boolean(file.srcset);
  return `<img${attributesOf([
    ['src', file.url],
    ['srcset', file.srcset],
    ['sizes', scales ? sizes : null],
    ['width', file.width],
    ['height', file.height],
    ['class', className],
    ['loading', loading === 'eager' ? null : loading],
    ['fetchpriority', loading === 'eager' ? 'high' : null],
    ['decoding', 'async'],
  ])} alt="${escapeHtml(alt ?? file.alt ?? '')}">`;
}

/** HTML of a rich text, which the program has sanitised before the rendering. */
const html = (value) => (typeof value === 'object' && value !== null ? (value.html ?? '') : '');

/** JSON for a script element of type `application/json`: it cannot end the element. */
const jsonScript = (value) => JSON.stringify(value ?? null).replaceAll('<', String.raw`\u003c`);

export function addFilters(engine) {
  engine.registerFilter('t', translate);
  engine.registerFilter('format_date', formatDate);
  engine.registerFilter('format_number', formatNumber);
  engine.registerFilter('asset_url', assetUrl);
  engine.registerFilter('first_file', first);
  engine.registerFilter('mix', mix);
  engine.registerFilter('readable_on', readableOn);
  engine.registerFilter('text_on', textOn);
  engine.registerFilter('image', { handler: image, raw: true });
  engine.registerFilter('html', { handler: html, raw: true });
  engine.registerFilter('json_script', { handler: jsonScript, raw: true });
}
