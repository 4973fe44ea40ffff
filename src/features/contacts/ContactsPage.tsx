import Search from '@mui/icons-material/SearchOutlined';
import { Box, Button, InputAdornment, OutlinedInput, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { Contact } from '@contract/contacts';
import { selectMay } from '@/features/session/sessionSlice';
import { text, useSearchState } from '@/lib/searchState';
import { useDelayed } from '@/lib/useDelayed';
import { useTyped } from '@/lib/useTyped';
import { isFailure } from '@/store/failure';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { PageHeader } from '@/ui/PageHeader';
import { RowsSkeleton } from '@/ui/skeletons';
import { useContactsQuery } from './contactsApi';
import { removalRequested, selectContacts, selectContactsStatus } from './contactsSlice';
import { ContactDrawer } from './ContactDrawer';
import { ContactTable } from './ContactTable';

const address = { q: text(), id: text('', 36) };

const matches = (contact: Contact, q: string): boolean => {
  const all = [contact.name, contact.company, contact.email ?? '', contact.phone ?? ''].join('\n').toLowerCase();
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
};

/** People to notify. The drawer with one of them has its own address (`?id=`), and `?id=new` adds one. */
export function Component(): ReactElement {
  const { t } = useTranslation('contacts');
  const dispatch = useAppDispatch();
  const { error, isFetching, refetch } = useContactsQuery(undefined, { refetchOnMountOrArgChange: true });
  const status = useAppSelector(selectContactsStatus);
  const contacts = useAppSelector(selectContacts);
  const mayWrite = useAppSelector((state) => selectMay(state, 'contacts.write'));
  const [{ q: searched, id }, change] = useSearchState(address);
  const [q, setQ] = useTyped(searched, (next) => change({ q: next }, 'replace'));
  const slow = useDelayed(status === 'idle' || status === 'loading');
  const shown = contacts.filter((contact) => matches(contact, q));
  const addressOf = (one: string) => `?${new URLSearchParams({ ...(q !== '' && { q }), id: one }).toString()}`;
  const add = mayWrite && (
    <Button component={Link} to={addressOf('new')} variant="contained" preventScrollReset>
      {t('contacts.add')}
    </Button>
  );

  const list = () => {
    if (status === 'failed') return <ErrorPanel failure={isFailure(error) ? error : null} onRetry={() => void refetch()} retrying={isFetching} />;
    if (status !== 'ready') return slow ? <RowsSkeleton rows={4} /> : null;
    if (contacts.length === 0)
      return (
        <EmptyState title={t('contacts.empty')} action={add}>
          {t('contacts.emptyText')}
        </EmptyState>
      );
    return (
      <>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2, mb: 1 }}>
          <OutlinedInput
            size="small"
            type="search"
            value={q}
            placeholder={t('contacts.searchPlaceholder')}
            onChange={(event) => setQ(event.target.value)}
            startAdornment={
              <InputAdornment position="start">
                <Search sx={{ fontSize: 18 }} />
              </InputAdornment>
            }
            slotProps={{ input: { 'aria-label': t('contacts.search'), maxLength: 200 } }}
            sx={{ height: 32, width: { xs: '100%', sm: 300 } }}
          />
          {!contacts.some((contact) => 'security' in contact.subscriptions) && (
            <Typography role="status" variant="body2" sx={{ color: 'warning.main' }}>
              ⚠ {t('contacts.noSecurity')}
            </Typography>
          )}
        </Box>
        {shown.length === 0 ? (
          <EmptyState
            kind="noMatch"
            title={t('contacts.noMatch', { q })}
            action={
              <Button variant="outlined" onClick={() => setQ('')}>
                {t('contacts.clear')}
              </Button>
            }
          />
        ) : (
          <ContactTable contacts={shown} mayWrite={mayWrite} addressOf={addressOf} onRemove={(contact) => dispatch(removalRequested(contact.id))} />
        )}
      </>
    );
  };
  return (
    <>
      <PageHeader title={t('contacts.title')} note={t('contacts.lead')} actions={contacts.length > 0 && add} />
      {list()}
      <ContactDrawer id={id === '' ? null : id} onClose={() => change({ id: '' }, 'replace')} />
    </>
  );
}
