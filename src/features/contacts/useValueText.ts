import { useTranslation } from 'react-i18next';
import { contactTopics } from '@contract/contacts/schemas';
import { selectSites } from '@/features/sites/sitesSlice';
import { useAppSelector } from '@/store/hooks';
import type { ContactValues } from './contactValues';

/** One value as text, for comparing two versions of a contact. */
export function useValueText(): (field: keyof ContactValues, values: ContactValues) => string {
  const { t } = useTranslation('contacts');
  const sites = useAppSelector(selectSites);
  return (field, values) => {
    const { subscriptions, siteIds, quietHours } = values;
    switch (field) {
      case 'title':
        return t(`title.${values.title}`);
      case 'locale':
        return t(values.locale === 'en' ? 'en' : 'zh');
      case 'kinds':
        return values.kinds.map((kind) => t(`kind.${kind}`)).join(t('list'));
      case 'subscriptions':
        return contactTopics
          .flatMap((topic) => {
            const ways = (subscriptions[topic] ?? []).map((channel) => t(`channel.${channel}`)).join(t('list'));
            return ways === '' ? [] : [t('contacts.topicBy', { topic: t(`topic.${topic}`), channel: ways })];
          })
          .join(' · ');
      case 'siteIds':
        return siteIds === null ? t('contacts.allSites') : siteIds.map((id) => sites.find((site) => site.id === id)?.name ?? id).join(t('list'));
      case 'quietHours':
        return quietHours ? `${quietHours.from}–${quietHours.to} ${quietHours.timeZone}` : '';
      default:
        return values[field] ?? '';
    }
  };
}
