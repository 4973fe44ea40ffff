import { Box, Button } from '@mui/material';
import { useEffect } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { selectMay } from '@/features/session/sessionSlice';
import { flag, oneOf, text } from '@/lib/searchState';
import { useDelayed } from '@/lib/useDelayed';
import { isFailure } from '@/lib/failure';
import { useListAddress } from '@/lib/useListAddress';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { NoMatch } from '@/ui/list/NoMatch';
import { PageHeader } from '@/ui/PageHeader';
import { RowsSkeleton } from '@/ui/skeletons';
import { ContactDrawer } from './ContactDrawer';
import { ContactFilters, matchesFilter, mailStates, topicFilters } from './ContactFilters';
import { useContactsQuery } from './contactsApi';
import { removalListener } from './contactsListeners';
import { removalRequested, selectContacts, selectContactsStatus } from './contactsSlice';
import { ContactTable } from './ContactTable';
import { HealthNotes } from './HealthNotes';
import { ImportDialog } from './ImportDialog';

const address = { q: text(), topic: oneOf(topicFilters, 'any'), state: oneOf(mailStates, 'any'), id: text('', 36), import: flag() };

/** People to notify. The drawer of a contact has its own address (`?id=`); `?id=new` adds one and `?import=1` imports several. */
export function Component(): ReactElement {
  const { t } = useTranslation('contacts');
  const dispatch = useAppDispatch();
  useEffect(() => {
    // Never removed: a pending removal is sent even after the page was left.
    dispatch(removalListener);
  }, [dispatch]);
  const { error, isFetching, refetch } = useContactsQuery(undefined, { refetchOnMountOrArgChange: true });
  const status = useAppSelector(selectContactsStatus);
  const contacts = useAppSelector(selectContacts);
  const mayWrite = useAppSelector((state) => selectMay(state, 'contacts.write'));
  const { state: filters, change, filter: narrow, search, clear } = useListAddress(address, ['q', 'topic', 'state']);
  const { topic, state, id, import: importing } = filters;
  const q = search.value;
  const slow = useDelayed(status === 'idle' || status === 'loading');
  const filter = { q, topic, state };
  const visible = contacts.filter((contact) => matchesFilter(contact, filter, contact.kinds.map((kind) => t(`kind.${kind}`)).join(' ')));
  const narrowed = { ...(q !== '' && { q }), ...(topic !== 'any' && { topic }), ...(state !== 'any' && { state }) };
  const addressOf = (one: string) => `?${new URLSearchParams({ ...narrowed, id: one }).toString()}`;
  const actions = mayWrite && (
    <Box sx={{ display: 'flex', gap: 1 }}>
      <Button variant="outlined" onClick={() => change({ import: true })}>
        {t('contacts.import')}
      </Button>
      <Button component={Link} to={addressOf('new')} variant="contained" preventScrollReset>
        {t('contacts.add')}
      </Button>
    </Box>
  );

  const list = () => {
    if (status === 'failed') return <ErrorPanel failure={isFailure(error) ? error : null} onRetry={() => void refetch()} retrying={isFetching} />;
    if (status !== 'ready') return slow ? <RowsSkeleton rows={4} /> : null;
    if (contacts.length === 0)
      return (
        <EmptyState ghost="rows" title={t('contacts.empty')} action={actions}>
          {t('contacts.emptyText')}
        </EmptyState>
      );
    return (
      <>
        <ContactFilters filter={filter} onSearch={search.onChange} onChange={narrow} />
        {visible.length === 0 ? (
          <NoMatch title={q === '' ? t('contacts.noneSo') : t('contacts.noMatch', { q })} onClear={clear} />
        ) : (
          <ContactTable contacts={visible} mayWrite={mayWrite} addressOf={addressOf} onRemove={(contact) => dispatch(removalRequested(contact.id))} />
        )}
      </>
    );
  };
  return (
    <>
      <PageHeader title={t('contacts.title')} note={t('contacts.lead')} actions={contacts.length > 0 && actions} />
      <HealthNotes any={contacts.length > 0} />
      {list()}
      <ContactDrawer id={id === '' ? null : id} onClose={() => change({ id: '' }, 'replace')} />
      {importing && mayWrite && <ImportDialog onClose={() => change({ import: false }, 'replace')} />}
    </>
  );
}
