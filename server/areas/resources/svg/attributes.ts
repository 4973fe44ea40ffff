import type { SvgRemoval } from '../../../../contract/resources/terms';
import {
  animations,
  dataAttributes,
  idAttributes,
  isAnimated,
  keywordAttributes,
  longAttributes,
  properties,
  referring,
  svgLimits,
  textAttributes,
} from './allowed';
import { cleanDeclarations, cleanValue, mediaPattern } from './css';
import type { StyleReport } from './css';
import { isId } from './names';

/** An attribute as the parser reports it; `uri`: its namespace. */
export type ParsedAttribute = { readonly name: string; readonly local: string; readonly prefix: string; readonly uri: string; readonly value: string };
export type AttributeReport = (kind: SvgRemoval['kind'], name: string, reason: SvgRemoval['reason'], attribute: string) => void;
/** Embedded pictures of a file so far, in bytes. */
export type PictureBudget = { used: number };

const xlink = 'http://www.w3.org/1999/xlink';
const signatures: Readonly<Record<string, RegExp>> = {
  png: /^\u0089PNG\r\n\u001A\n/,
  jpeg: /^\u00FF\u00D8\u00FF/,
  gif: /^GIF8[79]a/,
  webp: /^RIFF[^]{4}WEBP/,
};
const picture = /^data:image\/(png|jpe?g|gif|webp);base64,([a-z\d+/]+={0,2})$/i;

/** An embedded picture in base64 whose content has the type that it claims; null if it is none. */
function cleanPicture(value: string, budget: PictureBudget): string | null {
  const [, format = '', data = ''] = picture.exec(value.replaceAll(/\s/g, '')) ?? [];
  const type = format.toLowerCase().replace('jpg', 'jpeg');
  const bytes = Buffer.from(data, 'base64');
  if (!signatures[type]?.test(bytes.toString('latin1', 0, 12)) || budget.used + bytes.length > svgLimits.pictures) return null;
  budget.used += bytes.length;
  return `data:image/${type};base64,${data}`;
}

/** Why an address is removed. Browsers ignore control characters and white space in the name of a protocol. */
function reasonOf(address: string): SvgRemoval['reason'] {
  const plain = address.replaceAll(/[\s\p{Cc}]/gu, '').toLowerCase();
  if (/^(?:javascript|vbscript|livescript):/.test(plain)) return 'script';
  return plain.startsWith('data:') ? 'picture' : 'external';
}

/** Numbers, lengths, lists, keywords, paths and times. */
const data = /^[\p{L}\p{N}\s.,;:%()#/+*'_-]*$/u;
const isData = (value: string): boolean => data.test(value) && !/url\s*\(|script\s*:|data\s*:/i.test(value);

/** The value of an attribute other than `href`, `style` and properties; null if it is not allowed. */
function cleanPlain(name: string, value: string): string | null {
  if (textAttributes.has(name)) return value;
  if (name === 'id') return isId(value) ? value : null;
  if (idAttributes.has(name)) return value.trim().split(/\s+/).every(isId) ? value : null;
  if (name === 'media') return mediaPattern.test(value) ? value : null;
  if (keywordAttributes.has(name)) return /^(?:true|false|auto)$/.test(value) ? value : null;
  return isData(value) ? value : null;
}

const isKnown = (name: string): boolean => dataAttributes.has(name) || textAttributes.has(name) || idAttributes.has(name) || keywordAttributes.has(name);

function unknownReason({ name, prefix }: ParsedAttribute): SvgRemoval['reason'] {
  if (/^(?:[^:]*:)?on/i.test(name)) return 'script';
  return prefix !== '' || /^(?:data-|version$|baseProfile$|content(?:Style|Script)Type$)/.test(name) ? 'metadata' : 'unknown';
}

/** The attributes of an element that are allowed, by name without prefix. Properties are written in one way, `xlink:href` becomes `href`. */
export function cleanAttributes(element: string, parsed: readonly ParsedAttribute[], budget: PictureBudget, report: AttributeReport): Map<string, string> {
  const cleaned = new Map<string, string>();
  const hasHref = parsed.some(({ name }) => name === 'href');

  function href({ name, value }: ParsedAttribute): void {
    const address = value.trim();
    const clean =
      element === 'image' ? cleanPicture(address, budget) : referring.has(element) && address.startsWith('#') && isId(address.slice(1)) ? address : null;
    if (clean !== null) cleaned.set('href', clean);
    else report('attribute', name, reasonOf(address), name);
  }
  function style({ name, value }: ParsedAttribute): void {
    const declared: StyleReport = (kind, declaration) => report(kind, declaration, 'style', name);
    const clean = cleanDeclarations(value, declared);
    if (clean !== '') cleaned.set('style', clean);
  }
  function add(attribute: ParsedAttribute): void {
    const { name, local, prefix, uri } = attribute;
    const value = attribute.value.replaceAll(/[\t\n\r]/g, ' ');
    if (prefix === 'xmlns' || name === 'xmlns') return;
    if (value.length > (longAttributes.has(local) ? svgLimits.longAttribute : svgLimits.attribute)) report('attribute', name, 'tooLong', name);
    else if (name === 'href' || (uri === xlink && local === 'href')) {
      if (name === 'href' || !hasHref) href(attribute);
    } else if (name === 'style') style(attribute);
    else if (properties.has(name) && !(animations.has(element) && dataAttributes.has(name))) {
      const property = cleanValue(value);
      if (property !== null) cleaned.set(name, property);
      // An empty value is not an error: it means the initial value.
      else if (value.trim() !== '') report('attribute', name, /url|src|image-set/i.test(value) ? 'external' : 'style', name);
    } else if (isKnown(name)) {
      const plain = cleanPlain(name, value);
      if (plain !== null) cleaned.set(name, plain);
      else report('attribute', name, reasonOf(value) === 'script' ? 'script' : 'unknown', name);
    } else report('attribute', name, unknownReason(attribute), name);
  }

  for (const attribute of parsed) add(attribute);
  return cleaned;
}

/** Whether an animation changes an attribute that may be animated; `animateMotion` always does. */
export const isSafeAnimation = (element: string, attributes: ReadonlyMap<string, string>): boolean =>
  element === 'animateMotion' || isAnimated(attributes.get('attributeName') ?? '');
