import { Alert, Box, Button, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Passkey, Security } from '@contract/account/factors';
import { shortestPassword } from '@contract/session/schemas';
import { failureMessage, noticeShown } from '@/features/notices/noticesSlice';
import { selectSession } from '@/features/session/sessionSlice';
import { useSessionRefresh } from '@/features/session/useSessionRefresh';
import { useFormat } from '@/lib/format';
import { oneOf, useSearchState } from '@/lib/searchState';
import { isFailure } from '@/lib/failure';
import { forgetResult } from '@/store/forgetResult';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { FormSection } from '@/ui/form/FormSection';
import { useNewRecoveryCodesMutation, useRemovePasskeyMutation, useRemoveTotpMutation } from '../securityApi';
import { FactorRow } from './FactorRow';
import { PasskeyDialog } from './PasskeyDialog';
import { PasskeyNameDialog } from './PasskeyNameDialog';
import { RecoveryCodesDialog } from './RecoveryCodesDialog';
import { TotpDialog } from './TotpDialog';

/** With fewer unused codes than this, the person is advised to create new ones. */
const fewCodes = 4;
/** The open setup dialog, in the address: `?tab=security&add=totp`. */
const address = { add: oneOf(['no', 'totp', 'passkey'], 'no') };

function PasskeyItem({
  passkey,
  onRename,
  onRemove,
}: {
  readonly passkey: Passkey;
  readonly onRename: () => void;
  readonly onRemove: () => void;
}): ReactElement {
  const { t } = useTranslation('security');
  const format = useFormat();
  const { name, createdAt, lastUsedAt, synced } = passkey;
  return (
    <Box component="li" sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1, py: 1, borderTop: 1, borderColor: 'divider' }}>
      <Box sx={{ flex: '1 1 200px', minWidth: 0 }}>
        <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
          {name}
          {synced && (
            <Typography component="span" variant="caption" title={t('passkey.syncedHelp')} sx={{ ml: 1, color: 'text.secondary', whiteSpace: 'nowrap' }}>
              {t('passkey.synced')}
            </Typography>
          )}
        </Typography>
        <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
          <span title={format.dateTime(createdAt)}>{t('passkey.since', { date: format.date(createdAt, { weekday: false }) })}</span>
          {' · '}
          {lastUsedAt === null ? (
            t('passkey.neverUsed')
          ) : (
            <span title={format.dateTime(lastUsedAt)}>{t('passkey.lastUsed', { when: format.relative(lastUsedAt) })}</span>
          )}
        </Typography>
      </Box>
      <Box sx={{ display: 'flex' }}>
        <Button onClick={onRename} aria-label={t('passkey.renameNamed', { name })}>
          {t('passkey.rename')}
        </Button>
        <Button onClick={onRemove} aria-label={t('passkey.removeNamed', { name })}>
          {t('passkey.remove')}
        </Button>
      </Box>
    </Box>
  );
}

/** The number of unused recovery codes, with a warning when few remain. */
function CodesLeft({ count }: { readonly count: number }): ReactElement {
  const { t } = useTranslation('security');
  return (
    <>
      {count === 0 ? t('codes.none') : t('codes.left', { n: count })}
      {count < fewCodes && (
        <Box component="span" sx={{ ml: 1, color: 'warning.main' }}>
          {t('codes.low')}
        </Box>
      )}
    </>
  );
}

/** Turns factors off and renews codes, each after a confirmation. New codes are shown until `forgetCodes`. */
function useFactorActions(factors: number) {
  const { t } = useTranslation('security');
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const refreshSession = useSessionRefresh();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [removeTotp, { isLoading: removingTotp }] = useRemoveTotpMutation();
  const [removePasskey] = useRemovePasskeyMutation();
  const [renew, { isLoading: renewing }] = useNewRecoveryCodesMutation();

  const refused = (error: unknown): boolean => {
    if (!isFailure(error)) return false;
    const last =
      error.code === 'conflict' ? (error.fields?.['secondFactor'] ? 'factors.lastAsked' : error.fields?.['password'] ? 'factors.lastShort' : null) : null;
    const message = last === null ? failureMessage(error) : { key: `security:${last}`, values: { min: shortestPassword.alone } };
    dispatch(noticeShown({ tone: 'bad', message, requestId: last === null ? error.requestId : undefined }));
    return true;
  };
  const endTotp = async () => {
    const body = t(factors === 1 ? 'totp.removeLast' : 'totp.removeText');
    if (!(await confirm({ title: t('totp.removeTitle'), body, confirm: t('totp.remove'), danger: true }))) return;
    if (refused((await removeTotp()).error)) return;
    dispatch(noticeShown({ message: { key: 'security:totp.removed' } }));
    refreshSession();
  };
  const endPasskey = async ({ id, name }: Passkey) => {
    const body = t(factors === 1 ? 'passkey.removeLast' : 'passkey.removeText');
    if (!(await confirm({ title: t('passkey.removeTitle', { name }), body, confirm: t('passkey.remove'), danger: true }))) return;
    const { error } = await removePasskey({ id });
    if (!(isFailure(error) && error.status === 404) && refused(error)) return;
    dispatch(noticeShown({ message: { key: 'security:passkey.removed', values: { name } } }));
    refreshSession();
  };
  const renewCodes = async () => {
    if (!(await confirm({ title: t('codes.renewTitle'), body: t('codes.renewText'), confirm: t('codes.renew') }))) return;
    // Secrets must not stay in the store.
    const { data, error } = await forgetResult(renew());
    if (data) setCodes(data);
    else refused(error);
  };
  return { endTotp, removingTotp, endPasskey, renewCodes, renewing, codes, forgetCodes: () => setCodes(null) };
}

/** Authenticator, passkeys and recovery codes. */
export function FactorsSection({ security }: { readonly security: Security }): ReactElement {
  const { t } = useTranslation('security');
  const format = useFormat();
  const session = useAppSelector(selectSession);
  const refreshSession = useSessionRefresh();
  const [{ add }, change] = useSearchState(address);
  const [renaming, setRenaming] = useState<Passkey | null>(null);
  const { totpSince, passkeys, recoveryLeft } = security;
  const { endTotp, removingTotp, endPasskey, renewCodes, renewing, codes, forgetCodes } = useFactorActions(passkeys.length + (totpSince === null ? 0 : 1));

  const close = () => change({ add: 'no' }, 'replace');
  const finish = () => {
    close();
    refreshSession();
  };

  return (
    <FormSection title={t('factors.title')} lead={t('factors.lead')}>
      {session?.enrolment === 'due' && session.enrolBy !== null && (
        <Alert severity="warning">{t('factors.due', { date: format.dateTime(session.enrolBy) })}</Alert>
      )}
      <Box>
        <FactorRow
          title={t('totp.title')}
          lead={t('totp.lead')}
          on={totpSince !== null}
          state={totpSince === null ? t('factors.off') : t('totp.since', { date: format.date(totpSince, { weekday: false }) })}
          action={
            totpSince === null ? (
              <Button variant="outlined" aria-label={t('totp.addNamed')} onClick={() => change({ add: 'totp' })}>
                {t('totp.add')}
              </Button>
            ) : (
              <Button variant="outlined" aria-label={t('totp.removeNamed')} aria-busy={removingTotp} onClick={() => void endTotp()}>
                {t('totp.remove')}
              </Button>
            )
          }
        />
        <FactorRow
          title={t('passkey.title')}
          lead={t('passkey.lead')}
          action={
            <Button variant="outlined" aria-label={t('passkey.addNamed')} onClick={() => change({ add: 'passkey' })}>
              {t('passkey.add')}
            </Button>
          }
        >
          {passkeys.length > 0 && (
            <Box component="ul" aria-label={t('passkey.list')} sx={{ m: 0, mt: 1, p: 0, listStyle: 'none' }}>
              {passkeys.map((passkey) => (
                <PasskeyItem key={passkey.id} passkey={passkey} onRename={() => setRenaming(passkey)} onRemove={() => void endPasskey(passkey)} />
              ))}
            </Box>
          )}
        </FactorRow>
        {recoveryLeft !== null && (
          <FactorRow
            title={t('codes.title')}
            lead={t('codes.lead')}
            state={<CodesLeft count={recoveryLeft} />}
            action={
              <Button variant="outlined" aria-busy={renewing} onClick={() => void renewCodes()}>
                {t('codes.renew')}
              </Button>
            }
          />
        )}
      </Box>
      {add === 'totp' && <TotpDialog onClose={close} onDone={finish} />}
      {add === 'passkey' && <PasskeyDialog existing={passkeys.map((one) => one.name)} onClose={close} onDone={finish} />}
      {renaming && <PasskeyNameDialog passkey={renaming} onClose={() => setRenaming(null)} />}
      {codes && <RecoveryCodesDialog codes={codes} onKept={forgetCodes} />}
    </FormSection>
  );
}
