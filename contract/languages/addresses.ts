import type { UrlStrategy } from './terms';

/** Which address a page has in each language, and which language an address has. The inverse of each other, for every strategy. */

export type AddressedLanguage = {
  readonly tag: string;
  /** Its prefix, without slashes. */
  readonly path: string;
  /** Its hostname; null: none, or one that is not served at present. With the strategies of prefixes, it leads to the main one. */
  readonly host: string | null;
};
export type AddressRules = {
  readonly strategy: UrlStrategy;
  /** The default one first. */
  readonly languages: readonly AddressedLanguage[];
  /** Host of the main address. */
  readonly primary: string;
};
/** `path`: decoded, begins with a slash. */
export type Address = { readonly host: string; readonly path: string };
/** `isCanonical`: whether it is the one address of that page in that language. */
export type LocatedPage = { readonly tag: string; readonly path: string; readonly isCanonical: boolean };

const byHost = ({ strategy }: AddressRules): boolean => strategy === 'subdomain' || strategy === 'domain';
const withPrefix = (prefix: string, path: string): string => (path === '/' ? `/${prefix}` : `/${prefix}${path}`);

const ownHost = (rules: AddressRules, language: AddressedLanguage): string | null => (byHost(rules) ? language.host : null);
/** Whether the addresses of a language have its prefix. */
function isPrefixed(rules: AddressRules, language: AddressedLanguage): boolean {
  if (rules.strategy === 'prefix_all') return true;
  return ownHost(rules, language) === null && language !== rules.languages[0];
}

/** The address of a path in a language; a language that the site does not have gets that of the default one. */
export function addressIn(rules: AddressRules, path: string, tag: string): Address {
  const language = rules.languages.find((one) => one.tag === tag) ?? rules.languages[0];
  if (language === undefined) return { host: rules.primary, path };
  return { host: ownHost(rules, language) ?? rules.primary, path: isPrefixed(rules, language) ? withPrefix(language.path, path) : path };
}

/** Language and path of an address. A prefix in another case, or one that the language does not need, is understood but not canonical. */
export function pageAt(rules: AddressRules, { host, path }: Address): LocatedPage {
  const [initial] = rules.languages;
  const [, first = ''] = path.split('/', 2);
  const ofHost = rules.languages.find((one) => one.host === host);
  // A hostname of a language has no prefixes, so that its pages may begin like one.
  const ofPrefix = ofHost === undefined || ofHost === initial ? rules.languages.find((one) => one.path.toLowerCase() === first.toLowerCase()) : undefined;
  const language = ofPrefix ?? ofHost ?? initial;
  if (language === undefined) return { tag: '', path, isCanonical: true };
  const rest = ofPrefix === undefined ? path : path.slice(first.length + 1) || '/';
  const address = addressIn(rules, rest, language.tag);
  return { tag: language.tag, path: rest, isCanonical: address.host === host && address.path === path };
}

/** Rules of redirects from one prefix to another, with everything below it. */
const prefixRules = (from: string, to: string): readonly { readonly from: string; readonly to: string }[] => [
  { from, to },
  { from: `${from}/*`, to: `${to === '/' ? '' : to}/:splat` },
];

/**
 * Redirects that a change of languages needs: from each prefix that no language has any more. A language that moves to a hostname or loses its prefix keeps being understood under
 * it (`pageAt`), so that nothing has to be redirected.
 */
export function movedPrefixes(before: AddressRules, after: AddressRules): { readonly from: string; readonly to: string }[] {
  return before.languages.flatMap((old) => {
    const next = after.languages.find(({ tag }) => tag === old.tag);
    const used = after.languages.some(({ path }) => path.toLowerCase() === old.path.toLowerCase());
    if (next === undefined || used || addressIn(before, '/', old.tag).path === '/') return [];
    // Where the language has a hostname, its prefix leads there.
    return prefixRules(`/${old.path}`, next === after.languages[0] && !isPrefixed(after, next) ? '/' : `/${next.path}`);
  });
}

/** Whether a redirect from a path would take the address of a language away from it. */
export const hidesLanguage = (rules: AddressRules, from: string): boolean =>
  rules.languages.some(({ path }) => [`/${path}`, `/${path}/*`].some((one) => one.toLowerCase() === from.toLowerCase()));
