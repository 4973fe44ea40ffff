import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { User } from '@contract/session/schemas';
import { FormSection } from '@/ui/form/FormSection';
import { Segmented } from '@/ui/form/Segmented';
import { useSetPreference } from '../usePreferences';

/** Language, colour scheme and colour: applied immediately, so there is no save button. */
export function LookSection({ user }: { readonly user: User }): ReactElement {
  const { t } = useTranslation('account');
  const put = useSetPreference();
  return (
    <FormSection title={t('center.look')} lead={t('center.lookLead')}>
      <Segmented
        label={t('center.language')}
        value={user.locale}
        choices={[
          { value: 'zh-CN', label: t('center.zh'), lang: 'zh-CN' },
          { value: 'en', label: t('center.en'), lang: 'en' },
        ]}
        onChoose={(locale) => void put({ locale })}
      />
      <Segmented
        label={t('center.scheme')}
        value={user.colorScheme}
        choices={[
          { value: 'system', label: t('center.system') },
          { value: 'light', label: t('center.light') },
          { value: 'dark', label: t('center.dark') },
        ]}
        onChoose={(colorScheme) => void put({ colorScheme })}
      />
      <Segmented
        label={t('center.primary')}
        value={user.primary}
        choices={[
          { value: 'grey', label: t('center.grey') },
          { value: 'blue', label: t('center.blue') },
        ]}
        onChoose={(primary) => void put({ primary })}
      />
    </FormSection>
  );
}
