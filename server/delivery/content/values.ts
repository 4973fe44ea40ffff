import { isFileLink, textIn } from '../../../contract/tables/fieldTypes/fileValues';
import type { FileLink } from '../../../contract/tables/fieldTypes/fileValues';
import type { PublicResource, ResourceLabel } from '../../../contract/resources/labels';
import type { ThemeFieldType } from '../../../contract/publishing/theme';
import type { Money } from '../../../contract/languages/formats.mjs';
import { pseudoText } from '../../kit/templates/pseudo';
import type { PageValue } from '../../areas/tables';

/** A file as templates receive it. */
export type TemplateImage = {
  readonly url: string;
  readonly srcset: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly alt: string;
  readonly color: string | null;
};

/** The largest variant, so that browsers without `srcset` do not load the original. */
const largestOf = (srcset: string): string | undefined => srcset.split(', ').at(-1)?.split(' ', 1)[0];

type ImageSource = Pick<PublicResource, 'url' | 'srcset' | 'width' | 'height' | 'color' | 'alt'>;
const imageOf = ({ url, srcset, width, height, alt, color }: ImageSource): TemplateImage => ({
  url: (srcset === '' ? undefined : largestOf(srcset)) ?? url,
  srcset,
  width,
  height,
  alt,
  color,
});

/** An image that settings name, with its own alternative text in a language. */
export const imageOfLabel = ({ alt, ...label }: ResourceLabel, language: string): TemplateImage => imageOf({ ...label, alt: textIn(alt, language) ?? '' });

/** Images that visitors may load; a file that is known by its address only has no dimensions. */
const imagesOf = (files: readonly (PublicResource | FileLink)[]): TemplateImage[] =>
  files.flatMap((file) => {
    if ('srcset' in file) return file.kind === 'image' || file.kind === 'svg' ? [imageOf(file)] : [];
    return isFileLink(file) && /^https?:\/\//i.test(file.url)
      ? [imageOf({ url: file.url, srcset: '', width: null, height: null, color: null, alt: file.alt ?? '' })]
      : [];
  });

/** An address that a page may link to: http, https, mail, telephone, or a path within the site. */
export function linkOf(text: string): string | null {
  const address = text.trim();
  if (/^(?:https?:\/\/|mailto:|tel:)\S+$/i.test(address) || /^\/(?![/\\])/.test(address)) return address;
  if (/^[^\s@/:]+@[^\s@/:]+$/.test(address)) return `mailto:${address}`;
  return /^\+?[\d\s().-]{3,40}$/.test(address) ? `tel:${address.replaceAll(/[^\d+]/g, '')}` : null;
}

/** A value as the field of a collection declares it, except for rich text and records; null: absent, or of another type. */
export function simpleValue(type: ThemeFieldType, value: PageValue): unknown {
  switch (value.kind) {
    case 'files':
      return type === 'image' ? imagesOf(value.files) : null;
    case 'texts':
      return type === 'tags' ? value.texts : type === 'text' ? value.texts.join(', ') : null;
    case 'links':
      return type === 'text' ? value.links.map(({ name }) => name).join(', ') : type === 'tags' ? value.links.map(({ name }) => name) : null;
    case 'plain':
      return type === 'money' ? moneyOf(value) : plainValue(type, value.value);
  }
}

/** An amount with the currency of its field; a number without one is in that of the language. */
const moneyOf = ({ value, currency, decimals }: Extract<PageValue, { kind: 'plain' }>): Money | null =>
  typeof value === 'number' ? { amount: value, currency: currency ?? null, decimals: decimals ?? null } : null;

/** A simple value of a field in the pseudo-language. */
export function pseudoValue(type: string, value: unknown): unknown {
  if (type === 'text') return typeof value === 'string' ? pseudoText(value) : value;
  if (type === 'tags') return Array.isArray(value) ? value.map((text) => pseudoText(String(text))) : value;
  return type === 'image' && Array.isArray(value) ? (value as TemplateImage[]).map((image) => ({ ...image, alt: pseudoText(image.alt) })) : value;
}

function plainValue(type: ThemeFieldType, value: string | number | boolean | null): unknown {
  if (value === null || value === '') return null;
  switch (type) {
    case 'text':
      return typeof value === 'boolean' ? null : String(value);
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value) ? value : null;
    case 'link':
      return typeof value === 'string' ? linkOf(value) : null;
    case 'tags':
      return typeof value === 'string' ? [value] : null;
    default:
      return null;
  }
}
