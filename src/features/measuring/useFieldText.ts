import { useTranslation } from 'react-i18next';
import { lines } from './settingsInput';
import type { SettingsField, SettingsInput } from './settingsInput';

/** One setting as text, for comparing two versions. */
export function useFieldText(): (field: SettingsField, value: SettingsInput) => string {
  const { t } = useTranslation('measuring');
  return (field, value) => {
    switch (field) {
      case 'bots':
        return t('bots.count', { count: value.bots.rules.length });
      case 'identity':
        return t(`identity.${value.identity}`);
      case 'doNotTrack':
      case 'globalPrivacyControl':
        return t(`wish.${value[field]}`);
      case 'addresses':
        return t(`addresses.${value.addresses}`);
      case 'campaignCuts':
        return t(value.campaignCuts ? 'visits.campaignYes' : 'visits.campaignNo');
      case 'spamOn':
        return t(value.spamOn ? 'spam.yes' : 'spam.no');
      case 'vitalsOn':
        return t(value.vitalsOn ? 'vitals.yes' : 'vitals.no');
      default:
        return lines(value[field]).join(', ') || '–';
    }
  };
}
