/** Filters of themes, beside those of LiquidJS. Each is pure and takes plain JSON; those that return HTML escape what they are given. */
import { filters } from 'liquidjs';
import { dateText, isDay, moneyText, numberText, timeText } from '../../../contract/languages/formats.mjs';
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

/** How pages in the language of this one write dates and amounts. */
function formatsOf(filter) {
  const page = globalOf(filter, 'page') ?? {};
  return {
    language: languageOf(filter),
    timeZone: page.time_zone ?? globalOf(filter, 'site')?.time_zone ?? 'UTC',
    dateStyle: page.date_style ?? null,
    currency: page.currency ?? null,
  };
}

const isAbsent = (value) => value === null || value === undefined || value === '';
function formatDate(value, style) {
  return isAbsent(value) ? '' : dateText(value, formatsOf(this), style);
}
function formatTime(value) {
  return isAbsent(value) ? '' : timeText(value, formatsOf(this));
}
function formatNumber(value) {
  return numberText(value, formatsOf(this));
}
function formatMoney(value, currency) {
  return isAbsent(value) ? '' : moneyText(value, formatsOf(this), currency);
}

/** What only the filter of LiquidJS reads as a moment, in milliseconds: `now`, and seconds since 1970. */
function liquidMoment(value) {
  if (value === 'now' || value === 'today') return Date.now();
  return typeof value === 'number' || /^\d+$/.test(String(value)) ? Number(value) * 1000 : value;
}

/** The filter of LiquidJS, in the language and time zone of the page instead of those of the process. A day without a time is not shifted. */
function date(value, format, zone) {
  const { language, timeZone } = formatsOf(this);
  if (isAbsent(format)) return formatDate.call(this, liquidMoment(value));
  const context = { opts: { ...this.context.opts, locale: language }, memoryLimit: this.context.memoryLimit };
  return filters.date.call({ ...this, context }, value, format, zone ?? (isDay(value) ? 'UTC' : timeZone));
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
  engine.registerFilter('format_time', formatTime);
  engine.registerFilter('format_number', formatNumber);
  engine.registerFilter('format_money', formatMoney);
  engine.registerFilter('date', date);
  engine.registerFilter('asset_url', assetUrl);
  engine.registerFilter('first_file', first);
  engine.registerFilter('mix', mix);
  engine.registerFilter('readable_on', readableOn);
  engine.registerFilter('text_on', textOn);
  engine.registerFilter('image', { handler: image, raw: true });
  engine.registerFilter('html', { handler: html, raw: true });
  engine.registerFilter('json_script', { handler: jsonScript, raw: true });
}
