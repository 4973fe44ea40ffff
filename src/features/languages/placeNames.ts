import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router-dom';
import type { TranslationOverview, TranslationText, MatrixRow } from '@contract/languages/translations';
import type { TranslatedEntity } from '@contract/languages/translationTerms';
import { useThemeQuery } from '@/features/publishing/theme/themeApi';
import { useTextIn } from '@/features/publishing/useTextIn';

/** Names of what can be translated, in the language of the interface. */
export function usePlaceNames() {
  const { t } = useTranslation('translations');
  const { siteId = '' } = useParams();
  const { data: theme } = useThemeQuery({ siteId });
  const textIn = useTextIn();
  /** As the theme titles it. */
  const menu = (name: string): string => textIn(theme?.manifest?.menus[name]) || t('menuNamed', { name });
  const setting = (name: string): string => textIn(theme?.manifest?.settings.find(({ key }) => key === name)?.label);
  const entity = (one: TranslatedEntity): string => t(`entity.${one}`);
  const group = ({ entity: of, name }: Pick<TranslationOverview['groups'][number], 'entity' | 'name'>): string =>
    of === 'record' ? name : of === 'menu' ? menu(name) : entity(of);
  return {
    group,
    row: ({ place, title }: Pick<MatrixRow, 'place' | 'title'>): string =>
      place.entity === 'record' ? title || t('untitled') : group({ entity: place.entity, name: title }),
    text: ({ key, title, label }: Pick<TranslationText, 'key' | 'title' | 'label'>): string => {
      const place = key.entity === 'record' ? title || t('untitled') : group({ entity: key.entity, name: title });
      const field =
        key.entity === 'settings'
          ? t(`setting.${key.field as 'title' | 'tagline' | 'description'}`)
          : key.entity === 'theme_settings'
            ? setting(key.field) || label
            : label;
      return key.entity === 'menu' ? place : `${place} · ${field}`;
    },
  };
}

/** Groups as choices of a filter: `record:t_…`. */
export const groupValue = ({ entity, group }: Pick<TranslationOverview['groups'][number], 'entity' | 'group'>): string => `${entity}:${group}`;

/** The entity and group of a choice. */
export function readGroup(groups: TranslationOverview['groups'], value: string): { readonly entity?: TranslatedEntity; readonly group?: string } {
  const found = groups.find((one) => groupValue(one) === value);
  return found ? { entity: found.entity, group: found.group } : {};
}
