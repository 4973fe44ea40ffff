import { Box, Typography } from '@mui/material';
import { useCallback, useRef } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { mayManage } from '@contract/permissions';
import { selectMay, selectSession } from '@/features/session/sessionSlice';
import { useFormat } from '@/lib/format';
import { isFailure } from '@/lib/failure';
import { useAppSelector } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Avatar } from '@/ui/Avatar';
import { SideSheet } from '@/ui/SideSheet';
import { RowsSkeleton } from '@/ui/skeletons';
import { OwnEmailLink } from './OwnEmailLink';
import { usePersonQuery } from './peopleApi';
import type { PersonWithGrants } from './peopleApi';
import { PersonActions } from './PersonActions';
import { PersonGrants } from './PersonGrants';
import { PersonRole } from './PersonRole';

/** Why the signed-in person may not change this one; null: they may. */
type Refusal = 'self' | 'above' | 'readOnly' | null;

function Facts({ person }: { readonly person: PersonWithGrants }): ReactElement {
  const { t } = useTranslation('people');
  const format = useFormat();
  const facts: readonly (readonly [string, ReactNode])[] = [
    [
      t('column.email'),
      <>
        {person.email ?? t('list.none')}
        {person.pendingEmail !== null && (
          <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
            {t('facts.pending', { email: person.pendingEmail })}
          </Typography>
        )}
      </>,
    ],
    [t('column.state'), t(`state.${person.state}`)],
    [t('column.factor'), t(person.secondFactor ? 'list.on' : 'list.off')],
    [t('facts.tokens'), format.number(person.tokens)],
    [
      t('column.lastUsed'),
      person.lastSeenAt === null ? t('list.never') : <span title={format.dateTime(person.lastSeenAt)}>{format.relative(person.lastSeenAt)}</span>,
    ],
    [t('facts.since'), format.date(person.createdAt, { weekday: false })],
  ];
  return (
    <Box
      component="dl"
      sx={{ display: 'grid', gridTemplateColumns: 'max-content minmax(0, 1fr)', columnGap: 2, rowGap: 0.5, m: 0, fontSize: 'var(--text-table)' }}
    >
      {facts.map(([label, value]) => (
        <Box key={label} sx={{ display: 'contents' }}>
          <Box component="dt" sx={{ color: 'text.secondary' }}>
            {label}
          </Box>
          <Box component="dd" sx={{ m: 0, overflowWrap: 'anywhere' }}>
            {value}
          </Box>
        </Box>
      ))}
    </Box>
  );
}

type Handlers = { readonly onDirty: (dirty: boolean) => void; readonly onHold: (hold: boolean) => void; readonly onGone: () => void };

function Opened({ id, onDirty, onHold, onGone }: Handlers & { readonly id: string }): ReactElement {
  const { t } = useTranslation('people');
  const session = useAppSelector(selectSession);
  const may = useAppSelector((state) => selectMay(state, 'people.manage'));
  const mayReset = useAppSelector((state) => selectMay(state, 'people.reset'));
  const { currentData: person, error, isFetching, refetch } = usePersonQuery({ id }, { refetchOnMountOrArgChange: true });
  if (!person)
    return (
      <Box sx={{ px: 3 }}>
        {isFailure(error) && !isFetching ? (
          error.status === 404 ? (
            <Typography variant="body2">{t('facts.missing')}</Typography>
          ) : (
            <ErrorPanel failure={error} onRetry={() => void refetch()} />
          )
        ) : (
          <RowsSkeleton rows={6} />
        )}
      </Box>
    );
  const self = session?.userId === person.id;
  const refusal: Refusal = !may || !session ? 'readOnly' : mayManage(session.role, person.role) ? (self ? 'self' : null) : self ? 'self' : 'above';
  return (
    <Box sx={{ px: 3, pb: 4, '& > section': { mt: 3, pt: 3, borderTop: 1, borderColor: 'divider' } }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5, mb: 2 }}>
        <Avatar name={person.displayName} picture={person.avatar} size={48} />
        <Box sx={{ minWidth: 0 }}>
          <Typography variant="body1" sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
            {person.displayName}
          </Typography>
          <Typography variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
            {person.loginName}
          </Typography>
        </Box>
      </Box>
      <Facts person={person} />
      {refusal !== null && (
        <Typography variant="body2" role="note" sx={{ mt: 2, p: 1.5, bgcolor: 'action.hover', borderRadius: 1 }}>
          {t(`refusal.${refusal}`)}
        </Typography>
      )}
      <PersonRole key={`role-${person.id}-${String(person.revision)}`} person={person} self={self} />
      <PersonGrants person={person} readOnly={refusal === 'readOnly' || refusal === 'above'} onDirty={onDirty} />
      {self && may && mayReset && person.pendingEmail !== null && <OwnEmailLink person={person} onHold={onHold} />}
      {refusal === null && <PersonActions person={person} onGone={onGone} onHold={onHold} />}
    </Box>
  );
}

/** The right drawer with one person; closing it asks for confirmation if access changes are unsaved. */
export function PersonDrawer({ id, onClose }: { readonly id: string | null; readonly onClose: () => void }): ReactElement {
  const { t } = useTranslation('people');
  const confirm = useConfirm();
  const dirty = useRef(false);
  const onDirty = useCallback((now: boolean) => {
    dirty.current = now;
  }, []);
  const held = useRef(false);
  const onHold = useCallback((hold: boolean) => {
    held.current = hold;
  }, []);
  const close = () => {
    dirty.current = false;
    held.current = false;
    onClose();
  };
  const ask = async () => {
    if (held.current) return;
    const question = { title: t('facts.discardTitle'), body: t('facts.discardText'), confirm: t('facts.discard'), cancel: t('facts.keep'), danger: true };
    if (!dirty.current || (await confirm(question))) close();
  };
  return (
    <SideSheet title={t('facts.title')} open={id !== null} width={480} onClose={() => void ask()}>
      {id !== null && <Opened key={id} id={id} onDirty={onDirty} onHold={onHold} onGone={close} />}
    </SideSheet>
  );
}
