import type { Edition } from './edition';

/** A path without the language that it begins with. `isCanonical` false: it names the default language, which has no prefix. */
export type LanguagePath = { readonly language: string; readonly path: string; readonly isCanonical: boolean };

/** Reads the language of a decoded path: `/en/blog` is `/blog` in English, if the site has English and it is not its first language. */
export function languagePath(path: string, languages: readonly string[]): LanguagePath {
  const [initial = 'en'] = languages;
  const [, first = ''] = path.split('/', 2);
  const language = languages.find((one) => one.toLowerCase() === first.toLowerCase());
  if (language === undefined) return { language: initial, path, isCanonical: true };
  const rest = path.slice(first.length + 1) || '/';
  return { language, path: rest, isCanonical: language !== initial && language === first && path !== `/${first}/` };
}

/** The same path in a language, percent-encoded, as a link within the site. */
export function pathIn({ root, release }: Pick<Edition, 'root' | 'release'>, path: string, language: string): string {
  const prefix = language === release.languages[0] ? '' : `/${language}`;
  const whole = path === '/' ? prefix || (root === '' ? '/' : '') : `${prefix}${path}`;
  return `${root}${encodeURI(whole)}` || '/';
}

/** The address of a path on the primary host, as search engines know it. */
export const canonicalAddress = (edition: Edition, path: string, language: string): string =>
  `${edition.origin}${pathIn({ ...edition, root: '' }, path, language)}`;

/** Path of a page of a list: `/blog/page/2`. */
export const listPagePath = (path: string, page: number): string => (page <= 1 ? path : `${path === '/' ? '' : path}/page/${String(page)}`);
