import { addressIn, pageAt } from '../../contract/languages/addresses';
import type { AddressRules } from '../../contract/languages/addresses';
import { addressRulesOf, languageHosts } from '../areas/publishing';
import type { Edition } from './edition';
import type { CompiledRelease } from './release';

/** What a decoded path means. `path`: without its language. `isCanonical`: whether it is the one address of that page in that language. `host`: as the rules of addresses know it. */
export type LanguagePath = { readonly language: string; readonly path: string; readonly isCanonical: boolean; readonly host: string };
/** What addresses depend on. */
export type Addressed = Pick<Edition, 'root' | 'release' | 'site' | 'origin' | 'preview'>;

/** `origins`: by host, without a slash at the end. */
type Addresses = { readonly rules: AddressRules; readonly origins: ReadonlyMap<string, string> };
type Known = Addresses & Pick<Addressed, 'site' | 'origin'>;
const known = new WeakMap<CompiledRelease, Known>();

function addressesOf(edition: Addressed): Addresses {
  const { release, site, origin, preview } = edition;
  const stored = known.get(release);
  if (stored?.site === site && stored.origin === origin) return stored;
  // A preview is on one host.
  const located = { origin, hostnames: preview ? new Map() : site.hostnames };
  const rules = addressRulesOf(located, release.languageRules);
  const origins = new Map([...languageHosts(located).map((one) => [one.host, one.origin] as const), [rules.primary, origin] as const]);
  const addresses = { site, origin, rules, origins };
  known.set(release, addresses);
  return addresses;
}

/** Reads the language of a decoded path that was requested from a host (normalized). A host that is of no language counts as the main one. */
export function languagePath(edition: Addressed, requested: string | null, path: string): LanguagePath {
  const { rules } = addressesOf(edition);
  const host = rules.languages.some((one) => one.host === requested) ? (requested ?? rules.primary) : rules.primary;
  const { tag, path: rest, isCanonical } = pageAt(rules, { host, path });
  return { language: tag, path: rest, isCanonical, host };
}

/** Whether the host of a located page is the main one of the site. */
export const isMainHost = (edition: Addressed, { host }: Pick<LanguagePath, 'host'>): boolean => host === addressesOf(edition).rules.primary;

/** The address of a path in a language, percent-encoded: a path if it is on `host`, else with its origin. */
export function linkFrom(edition: Addressed, host: string, path: string, language: string): string {
  const { rules, origins } = addressesOf(edition);
  const address = addressIn(rules, path, language);
  if (address.host !== host) return `${origins.get(address.host) ?? edition.origin}${encodeURI(address.path)}`;
  return address.path === '/' && edition.root !== '' ? edition.root : `${edition.root}${encodeURI(address.path)}`;
}

/** The same path in a language, as a link from a page in the language `from`. */
export const pathIn = (edition: Addressed, path: string, language: string, from = language): string =>
  linkFrom(edition, addressIn(addressesOf(edition).rules, '/', from).host, path, language);

/** The whole address of a path in a language, as search engines know it. */
export function canonicalAddress(edition: Addressed, path: string, language: string): string {
  const { rules, origins } = addressesOf(edition);
  const address = addressIn(rules, path, language);
  return `${origins.get(address.host) ?? edition.origin}${encodeURI(address.path)}`;
}

/** Path of a page of a list: `/blog/page/2`. */
export const listPagePath = (path: string, page: number): string => (page <= 1 ? path : `${path === '/' ? '' : path}/page/${String(page)}`);
