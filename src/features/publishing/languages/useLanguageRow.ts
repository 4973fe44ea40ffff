import { useTranslation } from 'react-i18next';
import type { LanguagesPart } from '@contract/languages/part';
import { useFormat } from '@/lib/format';
import { useLanguageName } from '@/lib/languageName';

/** How a language of the site is listed: its name, how addresses in it begin, and what is special about it. `hosts`: names of hostnames by id, as far as they are known. */
export function useLanguageRow(
  hosts: ReadonlyMap<string, string> = new Map(),
): (part: Pick<LanguagesPart, 'strategy' | 'languages'>, at: number) => { readonly name: string; readonly detail: string } {
  const { t } = useTranslation('publishing');
  const format = useFormat();
  const languageName = useLanguageName();
  return ({ strategy, languages }, at) => {
    const language = languages[at];
    if (language === undefined) return { name: '', detail: '' };
    const { tag, path, state, fallback, hostname, currency, timeZone } = language;
    const hasHost = hostname !== null && (strategy === 'subdomain' || strategy === 'domain');
    const host = hasHost ? hosts.get(hostname) : undefined;
    const address = hasHost
      ? host === undefined
        ? t('languages.ownHost')
        : t('languages.onHost', { host })
      : at === 0 && strategy !== 'prefix_all'
        ? t('languages.default')
        : t('languages.prefix', { prefix: `/${path}` });
    return {
      name: languageName(tag),
      detail: [
        ...(at === 0 && strategy === 'prefix_all' ? [t('languages.isDefault')] : []),
        address,
        ...(state === 'hidden' ? [t('languages.isHidden')] : []),
        ...[currency, timeZone?.replaceAll('_', ' ')].filter((one) => typeof one === 'string'),
        ...(fallback.length > 0 ? [t('languages.fallsBack', { languages: format.list(fallback.map(languageName)) })] : []),
      ].join(' · '),
    };
  };
}
