import { Box, Button, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { SessionRow } from '@contract/session/schemas';
import { failureMessage, noticeShown } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { signedOut } from '@/store/events';
import { isFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { FormSection } from '@/ui/form/FormSection';
import { ListContent } from '@/ui/list/ListContent';
import { RowList } from '@/ui/list/RowList';
import { PlaceCredit } from '@/ui/PlaceCredit';
import { useEndSessionMutation, useSessionsQuery, useSignOutEverywhereMutation } from './centerApi';

function SessionItem({ session, onEnd }: { readonly session: SessionRow; readonly onEnd: () => void }): ReactElement {
  const { t } = useTranslation('account');
  const format = useFormat();
  const device = session.device === '' ? t('center.unknownDevice') : session.device;
  const place = session.place === '' ? t('center.unknownPlace') : session.place;
  return (
    <Box component="li" sx={{ display: 'flex', alignItems: 'center', gap: 2, py: 1, borderBottom: 1, borderColor: 'divider' }}>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography variant="body2" sx={{ fontWeight: 500 }}>
          {device}
          {session.current && (
            <Typography component="span" variant="caption" sx={{ ml: 1, color: 'success.main' }}>
              {t('center.thisDevice')}
            </Typography>
          )}
        </Typography>
        <Typography variant="caption" component="div" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
          {place} · {session.address}
        </Typography>
        <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
          <span title={format.dateTime(session.lastSeenAt)}>
            {session.current ? t('center.now') : t('center.lastUsed', { when: format.relative(session.lastSeenAt) })}
          </span>
          {' · '}
          <span title={format.dateTime(session.createdAt)} style={{ whiteSpace: 'nowrap' }}>
            {t('center.since', { date: format.date(session.createdAt, { weekday: false }) })}
          </span>
        </Typography>
      </Box>
      {!session.current && (
        <Button variant="outlined" onClick={onEnd} aria-label={t('center.endNamed', { device })}>
          {t('center.end')}
        </Button>
      )}
    </Box>
  );
}

/** The person's sessions, and ways to end them. */
export default function SessionsTab(): ReactElement {
  const { t } = useTranslation('account');
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const list = useSessionsQuery(undefined, { refetchOnMountOrArgChange: true });
  const [end] = useEndSessionMutation();
  const [endAll] = useSignOutEverywhereMutation();

  const say = (failed: unknown, key: string, values: Readonly<Record<string, string | number>>) => {
    if (isFailure(failed)) dispatch(noticeShown({ tone: 'bad', message: failureMessage(failed), requestId: failed.requestId }));
    else dispatch(noticeShown({ message: { key, values } }));
  };
  const endOne = async (session: SessionRow) => {
    const result = await end({ id: session.id });
    say(result.error, 'account:center.ended', { device: session.device === '' ? t('center.unknownDevice') : session.device });
  };
  const endOthers = async () => {
    const result = await endAll({ body: { keepCurrent: true } });
    say(result.error, 'account:center.endedOthers', { n: result.data?.ended ?? 0 });
  };
  const endEverything = async () => {
    if (!(await confirm({ title: t('center.endAllTitle'), body: t('center.endAllText'), confirm: t('center.endAll'), danger: true }))) return;
    const result = await endAll({ body: { keepCurrent: false } });
    if (isFailure(result.error)) return say(result.error, '', {});
    dispatch(signedOut());
  };

  const others = list.data?.some((session) => !session.current) ?? false;
  return (
    <FormSection title={t('center.sessions')} lead={t('center.sessionsLead')}>
      <ListContent result={list} rowsOf={(rows) => rows} skeletonRows={2} empty={null}>
        {(sessions) => (
          <RowList label={t('center.sessions')}>
            {sessions.map((session) => (
              <SessionItem key={session.id} session={session} onEnd={() => void endOne(session)} />
            ))}
          </RowList>
        )}
      </ListContent>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
        {others && (
          <Button variant="outlined" onClick={() => void endOthers()}>
            {t('center.endOthers')}
          </Button>
        )}
        <Button variant="outlined" color="error" onClick={() => void endEverything()}>
          {t('center.endAll')}
        </Button>
      </Box>
      <PlaceCredit />
    </FormSection>
  );
}
