import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '@/ui/CopyButton';
import { FormSection } from '@/ui/form/FormSection';
import { TextField } from '@/ui/form/TextField';
import type { TabProps } from './SettingsForm';

/** How the widget gets into pages: by itself, by the tag, or as the code of another service. */
export function CodeTab({ form, overview }: TabProps): ReactElement {
  const { t } = useTranslation('support');
  const { control } = form;
  const mode = useWatch({ control, name: 'mode' });
  return (
    <>
      <FormSection title={t('code.own')} lead={t('code.ownLead')}>
        {overview?.delivered === true && <p>{t('code.delivered')}</p>}
        {overview && (
          <div>
            <span className="field-label">{t('code.snippet')}</span>
            <pre className="support-snippet">{overview.snippet}</pre>
            <CopyButton text={overview.snippet}>{t('first.copy')}</CopyButton>
          </div>
        )}
        <TextField
          control={control}
          name="origins"
          label={t('code.origins')}
          help={t('code.originsHelp')}
          optional
          verbatim
          multiline
          minRows={2}
          placeholder="https://shop.example.com"
        />
      </FormSection>
      <FormSection title={t('code.external')} lead={t('code.externalLead')}>
        {mode === 'external' ? (
          <TextField
            control={control}
            name="externalCode"
            label={t('code.externalCode')}
            help={t('code.externalHelp')}
            verbatim
            multiline
            minRows={6}
            maxRows={16}
          />
        ) : (
          <p className="support-quiet">{t('code.externalOff')}</p>
        )}
      </FormSection>
    </>
  );
}
