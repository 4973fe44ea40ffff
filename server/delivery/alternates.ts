import { hreflangOf } from '../../contract/languages/tags';
import type { Edition } from './edition';

/** A link of a page to itself in a language, for search engines. */
export type Alternate = { readonly hreflang: string; readonly href: string };

/**
 * Links between the languages of a page, itself included. `addresses`: whole addresses by language, of the languages in which it exists. A page in one language has none. Heads and
 * sitemaps both get them from here, because search engines drop pairs that disagree.
 */
export function alternatesOf({ release, origin }: Pick<Edition, 'release' | 'origin'>, addresses: ReadonlyMap<string, string>): Alternate[] {
  if (addresses.size < 2) return [];
  const links = [...addresses].map(([language, href]) => ({ hreflang: hreflangOf(language), href }));
  const otherwise = release.languageRules.xDefault === 'start_page' ? `${origin}/` : addresses.get(release.languages[0] ?? '');
  return otherwise === undefined ? links : [...links, { hreflang: 'x-default', href: otherwise }];
}
