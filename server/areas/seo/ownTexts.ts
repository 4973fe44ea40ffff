import type { RoutesPart } from '../../../contract/publishing/parts';
import type { ThemeManifest } from '../../../contract/publishing/theme';
import { blockText } from '../../kit/templates/richText';
import type { PageRecord } from '../tables';

/** Texts that pages have by their content, before any rule of search settings; for delivery and for the console. */

/** Characters of an excerpt. */
const excerptLength = 160;

/** The first characters of a text, up to the end of a word. */
export function shortened(text: string, length: number): string {
  const characters = [...text];
  if (characters.length <= length) return text;
  const cut = characters.slice(0, length).join('');
  const space = cut.lastIndexOf(' ');
  return `${space > length * 0.6 ? cut.slice(0, space) : cut}…`;
}

type CollectionFields = ThemeManifest['collections'][string]['fields'];
/** The field of a collection with its first rich text. */
export const bodyField = (fields: CollectionFields): string | undefined => Object.entries(fields).find(([, { type }]) => type === 'rich_text')?.[0];

/** What a record is about: its summary, else the beginning of its first rich text. `fields`: of its collection. */
export function recordExcerpt({ values, html }: Pick<PageRecord, 'values' | 'html'>, fields: CollectionFields): string | null {
  const { summary } = values;
  if (summary?.kind === 'plain' && typeof summary.value === 'string' && summary.value !== '') return shortened(summary.value, excerptLength);
  const body = bodyField(fields);
  const text = body === undefined ? '' : blockText(html(body) ?? '');
  return text === '' ? null : shortened(text, excerptLength);
}

export function recordTitle({ values: { title } }: Pick<PageRecord, 'values'>): string | null {
  return title?.kind === 'plain' && title.value !== null && title.value !== '' ? String(title.value) : null;
}

/** Routes with a home page: the template `home`, unless a route has that address. */
export function withHome(routes: RoutesPart, theme: Pick<ThemeManifest, 'templates'> | null): RoutesPart {
  const hasHome = routes.some((route) => (route.kind === 'template' ? route.path : route.listPath) === '/');
  return hasHome || !theme?.templates['home'] ? routes : [...routes, { kind: 'template', path: '/', template: 'home', title: {} }];
}
