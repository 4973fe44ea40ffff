import { Box, Button, Link, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Verification } from '@contract/seo/verificationSchemas';
import { noticeShown, notifyFailure } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { useAppDispatch } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { CopyButton } from '@/ui/CopyButton';
import { Tag } from '@/ui/Tag';
import { useCheckVerificationMutation, useRemoveVerificationMutation } from './verificationApi';

type Props = { readonly siteId: string; readonly row: Verification; readonly mayChange: boolean };

/** What the last check of the program found. */
function Delivered({ row }: { readonly row: Verification }): ReactElement {
  const { t } = useTranslation('seo');
  const format = useFormat();
  if (row.checkedAt === null) return <Tag>{t('verification.state.unchecked')}</Tag>;
  const state = row.delivered === null ? 'unreachable' : row.delivered ? 'found' : 'missing';
  return (
    <span title={t('verification.checkedAt', { at: format.dateTime(row.checkedAt) })}>
      <Tag tone={state === 'found' ? 'good' : state === 'missing' ? 'bad' : 'warning'}>{t(`verification.state.${state}`)}</Tag>
    </span>
  );
}

/** One proof with its address, what the last check found, and its actions. */
export function VerificationItem({ siteId, row, mayChange }: Props): ReactElement {
  const { t } = useTranslation('seo');
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const [check, { isLoading: isChecking }] = useCheckVerificationMutation();
  const [remove, { isLoading: isRemoving }] = useRemoveVerificationMutation();
  const service = t(`verification.service.${row.service}`);
  const onCheck = async () => {
    const { error } = await check({ siteId, id: row.id });
    if (error !== undefined) notifyFailure(dispatch, error);
  };
  const onRemove = async () => {
    if (
      !(await confirm({
        title: t('verification.removeTitle', { name: row.name }),
        body: t('verification.removeText', { service }),
        confirm: t('verification.remove'),
        danger: true,
      }))
    )
      return;
    const { error } = await remove({ siteId, id: row.id });
    if (error !== undefined) notifyFailure(dispatch, error);
    else dispatch(noticeShown({ tone: 'good', message: { key: 'seo:verification.removed', values: { name: row.name } } }));
  };
  const text = row.method === 'meta' ? `<meta name="${row.name}" content="${row.content}">` : row.content;
  return (
    <Box
      component="li"
      sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, columnGap: 3, py: 1.5, borderBottom: 1, borderColor: 'divider' }}
    >
      <Box sx={{ flex: '1 1 320px', minWidth: 0, overflowWrap: 'anywhere' }}>
        <Typography variant="body1" component="h3" sx={{ fontWeight: 500 }}>
          {service} <Tag>{t(`verification.method.${row.method}`)}</Tag>
        </Typography>
        <Typography variant="body2" component="div">
          {row.method === 'file' && row.url !== null ? (
            <Link href={row.url} target="_blank" rel="noopener noreferrer">
              {row.url}
            </Link>
          ) : (
            row.name
          )}
        </Typography>
        <Typography variant="caption" component="div" sx={{ display: 'flex', alignItems: 'center', gap: 0.5, color: 'text.secondary' }}>
          <Box component="code" title={text} sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
            {text}
          </Box>
          <CopyButton text={text} label={t('verification.copy', { name: row.name })} />
        </Typography>
      </Box>
      <Delivered row={row} />
      {mayChange && (
        <Box sx={{ display: 'flex', gap: 1 }}>
          <Button variant="outlined" aria-busy={isChecking} aria-label={t('verification.checkNamed', { name: row.name })} onClick={() => void onCheck()}>
            {t('verification.check')}
          </Button>
          <Button color="error" aria-busy={isRemoving} aria-label={t('verification.removeNamed', { name: row.name })} onClick={() => void onRemove()}>
            {t('verification.remove')}
          </Button>
        </Box>
      )}
    </Box>
  );
}
