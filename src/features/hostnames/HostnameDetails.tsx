import { Box, Button, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Hostname, Hostnames } from '@contract/hostnames/schemas';
import { noticeShown, notifyFailure } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { useAppDispatch } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { CertificateDialog } from './CertificateDialog';
import { useCheckHostnameMutation, useMakePrimaryMutation, useRemoveHostnameMutation } from './hostnamesApi';
import { connectionOf } from './hostnameStatus';
import { RecordsTable } from './RecordsTable';
import { SettingsDialog } from './SettingsDialog';

type Props = { readonly siteId: string; readonly row: Hostname; readonly data: Hostnames; readonly mayChange: boolean };

/** What stands in the way, in sentences. */
function Advice({ row }: { readonly row: Hostname }): ReactElement {
  const { t } = useTranslation('hostnames');
  const { key } = connectionOf(row);
  const { detail } = row.probe;
  const isRefused = detail === 'private_address';
  // Something answered, but not this program.
  const isAnswered = detail === '';
  const lines = [
    t(`advice.${key}`),
    ...(key === 'proof' && row.contested ? [t('advice.contested')] : []),
    ...(isRefused ? [t('advice.privateAddress')] : row.probe.state === 'wrong' ? [t(isAnswered ? 'advice.probeOther' : 'advice.probeWrong', { detail })] : []),
    ...(row.tls === 'failed' || row.tls === 'expired' ? [t('advice.certificate', { reason: row.tlsError })] : []),
    ...(row.tlsError === 'scheme_lost' ? [t('advice.untrustedProxy')] : []),
    ...(row.lookAlike ? [t('lookAlike.text', { host: row.host })] : []),
  ];
  return (
    <Box sx={{ maxWidth: 720, display: 'grid', gap: 0.5 }}>
      {lines.map((line) => (
        <Typography key={line} variant="body2">
          {line}
        </Typography>
      ))}
    </Box>
  );
}

/** Actions on a hostname; each tells how it ended. */
function useActions(siteId: string, row: Hostname) {
  const { t } = useTranslation('hostnames');
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const [check, { isLoading: isChecking }] = useCheckHostnameMutation();
  const [makePrimary, { isLoading: isMoving }] = useMakePrimaryMutation();
  const [remove, { isLoading: isRemoving }] = useRemoveHostnameMutation();
  const finish = ({ error }: { readonly error?: unknown }, done: string): void => {
    if (error !== undefined) notifyFailure(dispatch, error);
    else dispatch(noticeShown({ tone: 'good', message: { key: done, values: { host: row.unicode } } }));
  };
  const args = { siteId, id: row.id };
  return {
    busy: isChecking || isMoving || isRemoving,
    isChecking,
    check: async () => finish(await check(args), 'hostnames:done.checked'),
    makePrimary: async () => finish(await makePrimary(args), 'hostnames:done.primary'),
    remove: async () => {
      const body = t(row.served ? 'remove.servedText' : 'remove.text', { host: row.unicode });
      if (await confirm({ title: t('remove.title', { host: row.unicode }), body, confirm: t('remove.confirm'), danger: true }))
        finish(await remove(args), 'hostnames:done.removed');
    },
  };
}

/** The records, what to do about them, and everything that can be changed. */
export function HostnameDetails({ siteId, row, data, mayChange }: Props): ReactElement {
  const { t } = useTranslation('hostnames');
  const format = useFormat();
  const { busy, isChecking, check, makePrimary, remove } = useActions(siteId, row);
  const [dialog, setDialog] = useState<'settings' | 'certificate' | null>(null);
  const servesTls = data.tlsMode === 'manual' || data.tlsMode === 'acme';
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2, pb: 3 }}>
      <Advice row={row} />
      <RecordsTable row={row} />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
        {mayChange && (
          <>
            <Button variant="outlined" disabled={busy} aria-busy={isChecking} onClick={() => void check()}>
              {isChecking ? t('actions.checking') : t('actions.check')}
            </Button>
            {row.served && row.role !== 'primary' && (
              <Button variant="outlined" disabled={busy} onClick={() => void makePrimary()}>
                {t('actions.makePrimary')}
              </Button>
            )}
            <Button variant="outlined" onClick={() => setDialog('settings')}>
              {t('actions.settings')}
            </Button>
            {servesTls && (
              <Button variant="outlined" onClick={() => setDialog('certificate')}>
                {t('actions.certificate')}
              </Button>
            )}
            <Button color="error" disabled={busy} onClick={() => void remove()}>
              {t('actions.remove')}
            </Button>
          </>
        )}
        <Typography variant="caption" role="status" sx={{ color: 'text.secondary' }}>
          {row.checkedAt === null ? t('checked.never') : t('checked.at', { when: format.relative(row.checkedAt) })}
          {row.nextCheckAt === null && ` · ${t('checked.stopped')}`}
        </Typography>
      </Box>
      {dialog === 'settings' && <SettingsDialog siteId={siteId} row={row} rows={data.rows} onClose={() => setDialog(null)} />}
      {dialog === 'certificate' && <CertificateDialog siteId={siteId} row={row} onClose={() => setDialog(null)} />}
    </Box>
  );
}
