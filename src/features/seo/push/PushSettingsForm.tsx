import { Link, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { PushSettingsInput } from '@contract/seo/pushSchemas';
import type { PushStatus } from '@contract/seo/pushSchemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useAppDispatch } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { CheckField } from '@/ui/form/CheckField';
import { Form } from '@/ui/form/Form';
import { FormSection } from '@/ui/form/FormSection';
import { TextField } from '@/ui/form/TextField';
import { resetForm, useContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import { SaveBar } from '@/ui/SaveBar';
import { useChangePushSettingsMutation } from './pushApi';

type Props = { readonly siteId: string; readonly status: PushStatus; readonly readOnly: boolean };

const valuesOf = ({ indexnow, baidu, baiduSite, automatic }: PushStatus): PushSettingsInput => ({ indexnow, baidu, baiduSite, baiduToken: null, automatic });

/** Which engines are told, and when. The stored token is never shown; an empty field leaves it as it is. */
export function PushSettingsForm({ siteId, status, readOnly }: Props): ReactElement {
  const { t } = useTranslation('seo');
  const dispatch = useAppDispatch();
  const [save] = useChangePushSettingsMutation();
  const values = valuesOf(status);
  const form = useContractForm(PushSettingsInput, { defaultValues: values, values });
  const { submit, busy, failure } = useSubmit(form, {
    send: (body) => save({ siteId, body }),
    onSuccess: (saved) => {
      resetForm(form, valuesOf(saved));
      dispatch(noticeShown({ tone: 'good', message: { key: 'seo:push.saved' } }));
    },
  });
  const { control } = form;
  return (
    <Form form={form} label={t('push.settings')} onSubmit={submit}>
      {failure && <ErrorPanel title={t('push.failed')} failure={failure} />}
      <FormSection title={t('push.engine.indexnow')} lead={t('push.indexnowLead')}>
        <CheckField control={control} name="indexnow" label={t('push.indexnow')} disabled={readOnly} />
        {status.keyUrl !== null && (
          <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
            {t('push.key')}{' '}
            <Link href={status.keyUrl} target="_blank" rel="noopener noreferrer">
              {status.keyUrl}
            </Link>
          </Typography>
        )}
      </FormSection>
      <FormSection title={t('push.engine.baidu')} lead={t('push.baiduLead')}>
        <CheckField control={control} name="baidu" label={t('push.baidu')} disabled={readOnly} />
        <TextField
          control={control}
          name="baiduSite"
          label={t('push.baiduSite')}
          help={t('push.baiduSiteHelp')}
          optional
          verbatim
          maxLength={253}
          disabled={readOnly}
        />
        <TextField
          control={control}
          name="baiduToken"
          label={t('push.baiduToken')}
          help={t(status.hasToken ? 'push.tokenStored' : 'push.tokenHelp')}
          type="password"
          autoComplete="off"
          optional
          nullable
          verbatim
          maxLength={100}
          disabled={readOnly}
        />
      </FormSection>
      <FormSection title={t('push.when')} lead={t('push.whenLead')}>
        <CheckField control={control} name="automatic" label={t('push.automatic')} help={t('push.automaticHelp')} disabled={readOnly} />
      </FormSection>
      <SaveBar dirty={form.formState.isDirty} saving={busy} onDiscard={() => resetForm(form, values)} />
    </Form>
  );
}
