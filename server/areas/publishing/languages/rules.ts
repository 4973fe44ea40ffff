import type { AddressRules } from '../../../../contract/languages/addresses';
import { LanguagesPart } from '../../../../contract/languages/part';
import type { IndexedSite, ServedHostname } from '../../sites';

type Site = Pick<IndexedSite, 'origin' | 'hostnames'>;

/** Host of the main address of a site; empty if its pages are hosted elsewhere. */
export const primaryHostOf = ({ origin }: Pick<Site, 'origin'>): string => (origin === null ? '' : new URL(origin).hostname);

/** Hostnames that languages may have: those that show the site, without the main one, which belongs to the default language. */
export const languageHosts = (site: Site): ServedHostname[] =>
  [...site.hostnames.values()].filter(({ target, host }) => target === null && host !== primaryHostOf(site));

/** Rules of the addresses of languages, with the hostnames that show the site at present. */
export function addressRulesOf(site: Site, { strategy, languages }: Pick<LanguagesPart, 'strategy' | 'languages'>): AddressRules {
  const hosts = new Map(languageHosts(site).map(({ id, host }) => [id, host]));
  const hostOf = (hostname: string | null): string | null => (hostname === null ? null : (hosts.get(hostname) ?? null));
  return { strategy, primary: primaryHostOf(site), languages: languages.map(({ tag, path, hostname }) => ({ tag, path, host: hostOf(hostname) })) };
}

/** Languages without some of them. The first of the rest is the default one; if none is left, `otherwise` is the only one. */
export function languagesWithout(content: LanguagesPart, gone: readonly string[], otherwise: string): LanguagesPart {
  const languages = content.languages
    .filter(({ tag }) => !gone.includes(tag))
    .map((one, at) => ({
      ...one,
      ...(at === 0 ? { state: 'published' as const, hostname: null } : {}),
      fallback: one.fallback.filter((tag) => !gone.includes(tag)),
    }));
  return languages.length === 0 ? LanguagesPart.parse({ ...content, languages: [{ tag: otherwise, path: otherwise }] }) : { ...content, languages };
}
