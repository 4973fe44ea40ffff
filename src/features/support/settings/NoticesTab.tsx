import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { supportWebhookKinds } from '@contract/support/terms';
import { noticeShown, notifyFailure } from '@/features/notices/noticesSlice';
import { selectMay } from '@/features/session/sessionSlice';
import { href } from '@/routes/paths';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { CheckField } from '@/ui/form/CheckField';
import { FormSection } from '@/ui/form/FormSection';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import { useTestSupportWebhookMutation } from '../supportApi';
import type { TabProps } from './SettingsForm';

/** Sends a message to the stored webhook and says what came back. */
function TestButton({ siteId, disabled }: { readonly siteId: string; readonly disabled: boolean }): ReactElement {
  const { t } = useTranslation('support');
  const dispatch = useAppDispatch();
  const [test, { isLoading }] = useTestSupportWebhookMutation();
  const run = async (): Promise<void> => {
    const { data, error } = await test({ siteId });
    if (!data) return notifyFailure(dispatch, error);
    dispatch(
      noticeShown({
        tone: data.delivered ? 'good' : 'bad',
        message: { key: data.delivered ? 'support:webhook.delivered' : 'support:webhook.undelivered', values: { detail: data.detail } },
      }),
    );
  };
  return (
    <div>
      <Button variant="outlined" disabled={disabled} aria-busy={isLoading} onClick={() => void run()}>
        {t('webhook.test')}
      </Button>
      {disabled && <p className="support-quiet">{t('webhook.saveFirst')}</p>}
    </div>
  );
}

/** Who is notified when nobody reads a message. */
export function NoticesTab({ form, settings, siteId, isDirty }: TabProps): ReactElement {
  const { t } = useTranslation('support');
  const mayReadContacts = useAppSelector((state) => selectMay(state, 'contacts.read'));
  const { control } = form;
  const kind = useWatch({ control, name: 'webhookKind' });
  return (
    <>
      <FormSection title={t('notify.title')} lead={t('notify.lead')}>
        <CheckField control={control} name="contacts" label={t('notify.contacts')} />
        <p role="status" className="support-quiet">
          {settings.recipients === 0 ? t('notify.nobody') : t('notify.recipients', { count: settings.recipients })}
          {!settings.mail && t('notify.mailOff')}{' '}
          {mayReadContacts && (
            <Link className="text-link in-text" to={`${href('account.contacts')}?topic=support`}>
              {t('notify.toContacts')}
            </Link>
          )}
        </p>
        <TextField control={control} name="replyMinutes" label={t('notify.reply')} help={t('notify.replyHelp')} inputMode="numeric" maxLength={4} />
        <CheckField control={control} name="overdue" label={t('notify.overdue')} help={t('notify.overdueHelp')} />
        <TextField control={control} name="delaySeconds" label={t('notify.delay')} help={t('notify.delayHelp')} inputMode="numeric" maxLength={4} />
      </FormSection>
      <FormSection title={t('webhook.title')} lead={t('webhook.lead')}>
        <SelectField
          control={control}
          name="webhookKind"
          label={t('webhook.kind')}
          choices={(['none', ...supportWebhookKinds] as const).map((one) => ({ value: one, label: t(`webhook.kinds.${one}`) }))}
        />
        {kind !== 'none' && (
          <>
            <TextField control={control} name="webhookUrl" label={t('webhook.url')} verbatim inputMode="url" placeholder="https://" />
            {kind !== 'wecom' && (
              <TextField
                control={control}
                name="webhookSecret"
                label={t('webhook.secret')}
                help={settings.hasWebhookSecret ? t('webhook.hasSecret') : t('webhook.secretHelp')}
                optional
                verbatim
                autoComplete="off"
              />
            )}
            <TestButton siteId={siteId} disabled={isDirty || settings.notify.webhook === null} />
          </>
        )}
      </FormSection>
    </>
  );
}
