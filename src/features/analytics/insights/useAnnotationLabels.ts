import type { Annotation } from '@contract/insights/schemas';
import { torExits, unknownCountry } from '@contract/countryBlock/codes';
import { useTranslation } from 'react-i18next';
import { useFormat } from '@/lib/format';
import { usePlaces } from '@/lib/usePlaces';

const countryRules = [
  'block_deny_listed',
  'block_allow_listed',
  'challenge_deny_listed',
  'challenge_allow_listed',
  'log_only_deny_listed',
  'log_only_allow_listed',
] as const;
const ruleOf = (value: string | undefined): (typeof countryRules)[number] | 'off' => countryRules.find((rule) => rule === value) ?? 'off';

/** The text of an annotation, or the message of an automatic one. */
export const useAnnotationLabels = () => {
  const { t, i18n } = useTranslation('insights');
  const { list } = useFormat();
  const places = usePlaces();
  /** `US, DE +3`: codes, and how many more. */
  const namesOf = (codes: string): string => {
    const [named = '', more] = codes.split(' +');
    const nameOf = (code: string): string => {
      if (code === unknownCountry) return t('note.unknownCountry');
      return code === torExits ? t('note.tor') : (places?.countryName(code, i18n.language === 'en' ? 'en' : 'zh-CN') ?? code);
    };
    return list(named.split(', ').map(nameOf)) + (more === undefined ? '' : ` +${more}`);
  };
  return ({ kind, text, values }: Pick<Annotation, 'kind' | 'text' | 'values'>): string => {
    if (kind === 'note') return text;
    if (kind === 'country_block') return t(`note.countryRule.${ruleOf(values['rule'])}`, { name: namesOf(values['name'] ?? '') });
    const written = (value: string | undefined): string =>
      kind === 'identity_changed' ? t(`identity.${value === 'cookieless' ? 'cookieless' : 'first_party'}`) : (value ?? '');
    return t(`note.kind.${kind}`, {
      name: values['name'] ?? '',
      before: written(values['before']) || t('note.nothing'),
      after: written(values['after']) || t('note.nothing'),
    });
  };
};
