import type { UrlStrategy } from './terms';

/** Which address a page has in each language, and which language an address has. The inverse of each other, for every strategy. */

export type AddressedLanguage = {
  readonly tag: string;
  /** Its prefix, without slashes. */
  readonly path: string;
  /** Its hostname with the strategies `subdomain` and `domain`; null: none, or one that is not served at present. */
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
  const ofHost = byHost(rules) ? rules.languages.find((one) => one.host === host) : undefined;
  // A hostname of a language has no prefixes, so that its pages may begin like one.
  const ofPrefix = ofHost === undefined || ofHost === initial ? rules.languages.find((one) => one.path.toLowerCase() === first.toLowerCase()) : undefined;
  const language = ofPrefix ?? ofHost ?? initial;
  if (language === undefined) return { tag: '', path, isCanonical: true };
  const rest = ofPrefix === undefined ? path : path.slice(first.length + 1) || '/';
  const address = addressIn(rules, rest, language.tag);
  return { tag: language.tag, path: rest, isCanonical: address.host === host && address.path === path };
}

/** Redirects of prefixes that a change of languages needs: from the old address of each language to its new one, with everything below it. */
export function movedPrefixes(before: AddressRules, after: AddressRules): { readonly from: string; readonly to: string }[] {
  return before.languages.flatMap(({ tag }) => {
    if (!after.languages.some((one) => one.tag === tag)) return [];
    const [old, next] = [addressIn(before, '/', tag), addressIn(after, '/', tag)];
    // Without a prefix, the old address of the language is the whole site: the rules of the other languages must not be caught by it.
    if (old.path === '/' || (old.host === next.host && old.path === next.path)) return [];
    const base = next.host === old.host ? '' : `https://${next.host}`;
    const below = next.path === '/' ? '' : next.path;
    return [
      { from: old.path, to: `${base}${next.path}` },
      { from: `${old.path}/*`, to: `${base}${below}/:splat` },
    ];
  });
}
