import { Button, Dialog, DialogActions, DialogContent, DialogTitle, Typography } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { webhookLimits } from '@contract/tables/webhooks';
import type { Webhook } from '@contract/tables/webhooks';
import { noticeShown } from '@/features/notices/noticesSlice';
import { isFailure } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Choose } from '@/features/tables/records/parts';
import { useReplayFailedMutation } from './webhooksApi';

const hour = 3_600_000;
const spans = { hour, day: 24 * hour, week: 7 * 24 * hour, all: (webhookLimits.keepDays + 1) * 24 * hour } as const;
type Span = keyof typeof spans;

/** Chooses the time from which failed deliveries are sent again. */
export const ReplayDialog = ({ siteId, hook, onClose }: { readonly siteId: string; readonly hook: Webhook; readonly onClose: () => void }): ReactElement => {
  const { t } = useTranslation('tableHooks');
  const dispatch = useAppDispatch();
  const titleId = useId();
  const [span, setSpan] = useState<Span>('day');
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [replay, { isLoading }] = useReplayFailedMutation();
  const go = async () => {
    if (isLoading) return;
    setFailure(null);
    const { data, error } = await replay({ siteId, hook: hook.id, body: { since: new Date(Date.now() - spans[span]).toISOString() } });
    if (isFailure(error)) return setFailure(error);
    const count = data?.count ?? 0;
    dispatch(noticeShown({ message: count === 0 ? { key: 'tableHooks:log.replayedNone' } : { key: 'tableHooks:log.replayedMany', values: { count } } }));
    return onClose();
  };
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId} fullWidth maxWidth="xs">
      <DialogTitle id={titleId}>{t('log.replayTitle')}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2 }}>
        {failure && <ErrorPanel failure={failure} title={t('failed')} />}
        <Typography variant="body2">{t('log.replayText')}</Typography>
        <Choose
          label={t('log.since')}
          value={span}
          options={(Object.keys(spans) as Span[]).map((id) => ({ id, name: t(`log.spans.${id}`) }))}
          onChange={setSpan}
        />
      </DialogContent>
      <DialogActions sx={{ padding: '8px 24px 16px' }}>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button variant="contained" aria-busy={isLoading} onClick={() => void go()}>
          {t('act.replay')}
        </Button>
      </DialogActions>
    </Dialog>
  );
};
