import { Box, Button, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { PushStatus } from '@contract/seo/pushSchemas';
import { noticeShown, notifyFailure } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { useAppDispatch } from '@/store/hooks';
import { RowList } from '@/ui/list/RowList';
import { Tag } from '@/ui/Tag';
import { useTestPushMutation } from './pushApi';

type Engine = PushStatus['engines'][number];
const tones = { ready: 'good', stopped: 'bad', paused: 'warning' } as const;
type Props = { readonly siteId: string; readonly status: PushStatus; readonly mayChange: boolean };

function EngineItem({ siteId, row, mayChange }: { readonly siteId: string; readonly row: Engine; readonly mayChange: boolean }): ReactElement {
  const { t } = useTranslation('seo');
  const format = useFormat();
  const dispatch = useAppDispatch();
  const [test, { isLoading }] = useTestPushMutation();
  const name = t(`push.engine.${row.engine}`);
  const onTest = async () => {
    const { data, error } = await test({ siteId, body: { engine: row.engine } });
    if (error !== undefined) return notifyFailure(dispatch, error);
    const values = { name, reason: data?.reason ? t(`push.reason.${data.reason}`) : '' };
    dispatch(noticeShown({ tone: data?.ok ? 'good' : 'bad', message: { key: data?.ok ? 'seo:push.testDone' : 'seo:push.testFailed', values } }));
  };
  const state = !row.on ? 'off' : row.problem === null ? 'ready' : row.pausedUntil === null ? 'stopped' : 'paused';
  const facts = [
    ...(row.waiting > 0 ? [t('push.waiting', { count: row.waiting, countText: format.number(row.waiting) })] : []),
    t('push.sentToday', { count: row.sentToday, countText: format.number(row.sentToday) }),
    ...(row.remaining === null ? [] : [t('push.remaining', { count: row.remaining, countText: format.number(row.remaining) })]),
    ...(row.pausedUntil === null ? [] : [t('push.pausedUntil', { at: format.dateTime(row.pausedUntil) })]),
  ];
  return (
    <Box
      component="li"
      sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, columnGap: 3, py: 1.5, borderBottom: 1, borderColor: 'divider' }}
    >
      <Box sx={{ flex: '1 1 200px', minWidth: 0 }}>
        <Typography variant="body1" component="h3" sx={{ fontWeight: 500 }}>
          {name} <Tag {...(state === 'off' ? {} : { tone: tones[state] })}>{t(`push.state.${state}`)}</Tag>
        </Typography>
        {row.on && (
          <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
            {facts.join(' · ')}
          </Typography>
        )}
        {row.problem !== null && (
          <Typography variant="body2" component="div" role="status">
            {t(`push.reason.${row.problem}`)}
          </Typography>
        )}
      </Box>
      {mayChange && row.on && (
        <Button variant="outlined" aria-busy={isLoading} aria-label={t('push.testNamed', { name })} onClick={() => !isLoading && void onTest()}>
          {t('push.test')}
        </Button>
      )}
    </Box>
  );
}

/** The state of each engine: what waits, what was sent today, and why nothing is sent. */
export function EngineList({ siteId, status, mayChange }: Props): ReactElement {
  const { t } = useTranslation('seo');
  const format = useFormat();
  return (
    <Box sx={{ mb: 3, '& > ul': { borderTop: 0 } }}>
      <RowList label={t('push.engines')}>
        {status.engines.map((row) => (
          <EngineItem key={row.engine} siteId={siteId} row={row} mayChange={mayChange} />
        ))}
      </RowList>
      {status.nextScanAt !== null && (
        <Typography variant="caption" component="p" sx={{ mt: 1, color: 'text.secondary' }}>
          {t('push.nextScan', { at: format.dateTime(status.nextScanAt) })}
        </Typography>
      )}
    </Box>
  );
}
