import { useTranslation } from 'react-i18next';
import type { Resource } from '@contract/resources/schemas';
import { useFormat } from '@/lib/format';
import { useLanguageName } from '@/lib/languageName';
import type { Difference } from '@/ui/form/StaleNotice';

type Version = Pick<Resource, 'name' | 'tags' | 'visibility' | 'title' | 'alt' | 'caption' | 'rotation' | 'crop' | 'focalX' | 'focalY'>;

/** Compares two versions of a resource, with rows for those fields that differ. */
export function useItemDifferences(): (mine: Version, theirs: Version) => readonly Difference[] {
  const { t } = useTranslation('resources');
  const format = useFormat();
  const languageName = useLanguageName();
  const pictureOf = ({ rotation, crop, focalX, focalY }: Version): string =>
    t('difference.edit', {
      rotation,
      width: format.percent(crop?.width ?? 1, 0),
      height: format.percent(crop?.height ?? 1, 0),
      x: format.percent(focalX, 0),
      y: format.percent(focalY, 0),
    });
  const editOf = ({ rotation, crop, focalX, focalY }: Version): string => JSON.stringify([rotation, crop, focalX, focalY]);
  return (mine, theirs) => {
    const row = (label: string, textOf: (version: Version) => string): Difference => ({ label, mine: textOf(mine), theirs: textOf(theirs) });
    const texts = (['alt', 'title', 'caption'] as const).flatMap((field) =>
      [...new Set([...Object.keys(mine[field]), ...Object.keys(theirs[field])])].map((language) =>
        row(t('difference.text', { field: t(`item.${field}`), language: languageName(language) }), (version) => version[field][language] ?? ''),
      ),
    );
    const rows = [
      row(t('item.name'), ({ name }) => name),
      row(t('item.tags'), ({ tags }) => tags.join(', ')),
      row(t('visibility.label'), ({ visibility }) => t(`visibility.${visibility}`)),
      ...texts,
    ].filter((one) => one.mine !== one.theirs);
    return editOf(mine) === editOf(theirs) ? rows : [...rows, row(t('difference.picture'), pictureOf)];
  };
}
