import { useTranslation } from 'react-i18next';
import type { CountryRule } from '@contract/countryBlock/schemas';
import { useFormat } from '@/lib/format';
import { useCountryNames } from './useCountryNames';

/** Countries that a sentence names. */
const mostNamed = 5;

/** A rule in a sentence. */
export function useRuleSummary(): (rule: CountryRule) => string {
  const { t } = useTranslation('countryBlock');
  const format = useFormat();
  const { nameOf } = useCountryNames();
  return ({ enabled, action, mode, countries }) => {
    if (!enabled) return t('summary.off');
    const more = countries.length - mostNamed;
    const named = countries.slice(0, mostNamed).map((code) => nameOf(code));
    const names = format.list(more > 0 ? [...named, t('summary.more', { count: more })] : named);
    return t(`summary.${action}_${mode}`, { names });
  };
}
