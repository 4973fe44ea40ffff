import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { torExits, unknownCountry } from '@contract/countryBlock/codes';
import { flagOf } from '@/lib/flag';
import { usePlaces } from '@/lib/usePlaces';

export type CountryNames = {
  /** In the reader's language; `XX` and null: unknown, `T1`: exits of Tor. */
  readonly nameOf: (code: string | null) => string;
  /** The same behind its flag. */
  readonly flagged: (code: string | null) => string;
  /** In the other of the two languages. */
  readonly otherNameOf: (code: string) => string;
};

/** Names of countries and regions; their codes until the names have loaded. */
export function useCountryNames(): CountryNames {
  const { t, i18n } = useTranslation('countryBlock');
  const places = usePlaces();
  const locale = i18n.language === 'en' ? 'en' : 'zh-CN';
  const nameOf = useCallback(
    (code: string | null): string => {
      if (code === null || code === unknownCountry || code === '') return t('unknown');
      return code === torExits ? t('tor') : (places?.countryName(code, locale) ?? code);
    },
    [t, places, locale],
  );
  const otherNameOf = useCallback((code: string): string => places?.countryName(code, locale === 'en' ? 'zh-CN' : 'en') ?? '', [places, locale]);
  const flagged = useCallback(
    (code: string | null): string => {
      const flag = code === null ? null : flagOf(code);
      return flag === null ? nameOf(code) : `${flag} ${nameOf(code)}`;
    },
    [nameOf],
  );
  return { nameOf, flagged, otherNameOf };
}
