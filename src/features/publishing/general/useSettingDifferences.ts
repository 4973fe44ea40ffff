import { useTranslation } from 'react-i18next';
import { useLanguageName } from '@/lib/languageName';
import type { Difference } from '@/ui/form/StaleNotice';
import { textFields } from './generalValues';
import type { GeneralInput } from './generalValues';

/** Settings that differ between two versions, as text. */
export function useSettingDifferences(): (mine: GeneralInput, theirs: GeneralInput) => readonly Difference[] {
  const { t } = useTranslation('publishing');
  const languageName = useLanguageName();
  const labels = { title: t('general.siteTitle'), tagline: t('general.tagline'), description: t('general.description') };
  const picture = (id: string | null): string => (id === null ? '' : t('resource.chosen'));
  const yesNo = (on: boolean): string => t(on ? 'yes' : 'no');
  return (mine, theirs) => {
    const texts = textFields.flatMap((field) =>
      [...new Set([...Object.keys(mine[field]), ...Object.keys(theirs[field])])].map((language) => ({
        label: `${labels[field]} · ${languageName(language)}`,
        mine: mine[field][language] ?? '',
        theirs: theirs[field][language] ?? '',
      })),
    );
    const pictures = (['logo', 'icon', 'shareImage'] as const)
      .filter((name) => mine[name] !== theirs[name])
      .map((name) => ({ label: t(`general.${name}`), mine: picture(mine[name]), theirs: picture(theirs[name]) }));
    const plain = (['company', 'email', 'phone', 'headCode', 'bodyCode'] as const).map((name) => ({
      label: t(`general.${name}`),
      mine: mine[name],
      theirs: theirs[name],
    }));
    const choices = [
      { label: t('general.robots.label'), mine: t(`general.robots.${mine.robots}`), theirs: t(`general.robots.${theirs.robots}`) },
      { label: t('general.measuring'), mine: yesNo(mine.measuring), theirs: yesNo(theirs.measuring) },
    ];
    return [...[...texts, ...plain, ...choices].filter((one) => one.mine !== one.theirs), ...pictures];
  };
}
