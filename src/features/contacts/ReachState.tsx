import CheckCircle from '@mui/icons-material/CheckCircleOutlined';
import ErrorOutline from '@mui/icons-material/ErrorOutlineOutlined';
import { Box, Button, OutlinedInput, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { Contact, ContactChannel, ContactInput } from '@contract/contacts/schemas';
import { useFormat } from '@/lib/format';
import { isFailure } from '@/lib/failure';
import { CopyButton } from '@/ui/CopyButton';
import { useFailureMessage } from '@/ui/ErrorPanel';
import type { ContractForm } from '@/ui/form/useContractForm';
import type { ContactValues } from './contactValues';
import { useTestContactMutation, useVerifyContactMutation } from './contactToolsApi';

const StateRow = ({ tone, children, action }: { readonly tone: 'good' | 'warning' | 'plain'; readonly children: ReactNode; readonly action?: ReactNode }) => (
  <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1, rowGap: 0.5, minHeight: 32 }}>
    {tone === 'good' && <CheckCircle fontSize="small" style={{ color: 'var(--good)' }} />}
    {tone === 'warning' && <ErrorOutline fontSize="small" style={{ color: 'var(--warning)' }} />}
    <Typography variant="caption" sx={{ flex: '1 1 160px', color: 'text.secondary', overflowWrap: 'anywhere' }}>
      {children}
    </Typography>
    {action}
  </Box>
);

/** Text to copy as a whole: a link, a key. */
const Copied = ({ label, value, type = 'text' }: { readonly label: string; readonly value: string; readonly type?: 'text' | 'password' }) => (
  <OutlinedInput
    fullWidth
    readOnly
    type={type}
    value={value}
    onFocus={(event) => event.target.select()}
    slotProps={{ input: { 'aria-label': label, spellCheck: false, autoComplete: 'off' } }}
    sx={{ fontFamily: 'var(--mono)', fontSize: 'var(--text-table)' }}
  />
);

/** Sends a test message and shows the response. */
function Test({ id, channel }: { readonly id: string; readonly channel: ContactChannel }): ReactElement {
  const { t } = useTranslation('contacts');
  const messageOf = useFailureMessage();
  const [test, { data, error, isLoading }] = useTestContactMutation();
  // This case has its own message, and the refused address is in the field above.
  const refused = data?.delivered === false && data.detail.startsWith('address_refused');
  const said = isFailure(error)
    ? messageOf(error)
    : data && (data.delivered ? t(`contacts.tested.${channel}`) : t(refused ? 'contacts.addressRefused' : 'contacts.notDelivered'));
  return (
    <>
      <Button variant="outlined" aria-busy={isLoading} onClick={() => !isLoading && void test({ id, body: { channel } })}>
        {t(isLoading ? 'contacts.testing' : 'contacts.test')}
      </Button>
      <Box role="status" sx={{ flexBasis: '100%' }}>
        {said !== undefined && !isLoading && (
          <StateRow tone={data?.delivered ? 'good' : 'warning'}>
            {said}
            {data && data.detail !== '' && !refused && (
              <Box component="code" sx={{ display: 'block', fontSize: 'var(--text-secondary)', overflowWrap: 'anywhere' }}>
                {data.detail}
              </Box>
            )}
          </StateRow>
        )}
      </Box>
    </>
  );
}

type Props = { readonly contact: Contact; readonly control: ContractForm<ContactInput, ContactValues>['control'] };

/** Below the address: whether it is confirmed, how to confirm it, and a test. */
export function MailState({ contact, control }: Props): ReactElement | null {
  // Only a saved address can be confirmed and tested.
  const saved = useWatch({ control, name: 'email' }) === contact.email;
  const { t } = useTranslation('contacts');
  const format = useFormat();
  const messageOf = useFailureMessage();
  const [verify, { data, error, isLoading }] = useVerifyContactMutation();
  if (!saved) return contact.email === null ? null : <StateRow tone="plain">{t('contacts.saveFirst')}</StateRow>;
  if (contact.email === null) return null;
  if (contact.emailVerifiedAt !== null)
    return (
      <StateRow tone="good" action={<Test id={contact.id} channel="mail" />}>
        {t('contacts.verifiedOn', { when: format.date(contact.emailVerifiedAt, { weekday: false }) })}
      </StateRow>
    );
  return (
    <Box sx={{ display: 'grid', gap: 1 }}>
      <StateRow
        tone="warning"
        action={
          <Button variant="outlined" aria-busy={isLoading} onClick={() => !isLoading && void verify({ id: contact.id })}>
            {t(data ? 'contacts.verifyAgain' : 'contacts.verify')}
          </Button>
        }
      >
        {t('contacts.unverifiedHelp')}
      </StateRow>
      <Box role="status" sx={{ display: 'grid', gap: 0.5 }}>
        {data && (
          <>
            <Typography variant="caption">{t(data.url === null ? 'contacts.verifyMailed' : 'contacts.verifyByHand', { email: contact.email })}</Typography>
            {data.url !== null && (
              <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
                <Copied label={t('contacts.verifyLink')} value={data.url} />
                <Box sx={{ flex: 'none' }}>
                  <CopyButton text={data.url}>{t('contacts.copyLink')}</CopyButton>
                </Box>
              </Box>
            )}
            <Typography variant="caption" sx={{ color: 'text.secondary' }}>
              {t('contacts.linkUntil', { when: format.dateTime(data.expiresAt) })}
            </Typography>
          </>
        )}
        {isFailure(error) && <StateRow tone="warning">{messageOf(error)}</StateRow>}
      </Box>
    </Box>
  );
}

/** Below the webhook: the signing key, and a test. */
export function WebhookState({ contact, control }: Props): ReactElement | null {
  const saved = useWatch({ control, name: 'webhook' }) === contact.webhook;
  const { t } = useTranslation('contacts');
  const [revealed, setRevealed] = useState(false);
  const { webhook, webhookSecret: secret } = contact;
  if (webhook === null) return null;
  if (!saved) return <StateRow tone="plain">{t('contacts.saveFirst')}</StateRow>;
  return (
    <Box sx={{ display: 'grid', gap: 1, mt: 0.5 }}>
      {secret !== null && (
        <Box>
          <Typography variant="caption" sx={{ display: 'block', mb: 0.5, color: 'text.secondary' }}>
            {t('contacts.secretHelp')}
          </Typography>
          <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
            <Copied label={t('contacts.secret')} value={secret} type={revealed ? 'text' : 'password'} />
            <Button aria-pressed={revealed} onClick={() => setRevealed(!revealed)} sx={{ flex: 'none' }}>
              {t(revealed ? 'contacts.hide' : 'contacts.show')}
            </Button>
            <Box sx={{ flex: 'none' }}>
              <CopyButton text={secret}>{t('contacts.copy')}</CopyButton>
            </Box>
          </Box>
        </Box>
      )}
      <Box sx={{ display: 'flex', flexWrap: 'wrap' }}>
        <Test id={contact.id} channel="webhook" />
      </Box>
    </Box>
  );
}
