import { Box, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { personStates } from '@contract/people/schemas';
import type { Person } from '@contract/people/schemas';
import { instanceRoles, may } from '@contract/permissions';
import { selectSession } from '@/features/session/sessionSlice';
import { useFormat } from '@/lib/format';
import { oneOf, text, whole, writeSearch } from '@/lib/searchState';
import { useListAddress } from '@/lib/useListAddress';
import { phone, useMedia } from '@/lib/useMedia';
import { useAppSelector } from '@/store/hooks';
import { DataTable } from '@/ui/DataTable';
import { NoMatch } from '@/ui/list/NoMatch';
import { PagedList } from '@/ui/list/PagedList';
import { RowList } from '@/ui/list/RowList';
import { Avatar } from '@/ui/Avatar';
import { Tag } from '@/ui/Tag';
import type { Column } from '@/ui/tableColumns';
import { PeopleFilters } from './PeopleFilters';
import { usePeopleQuery } from './peopleApi';
import { PersonDrawer } from './PersonDrawer';

const sorts = ['displayName', '-displayName', 'createdAt', '-createdAt', 'lastSeenAt', '-lastSeenAt', 'role', '-role'] as const;
const address = {
  q: text('', 100),
  role: oneOf(['all', ...instanceRoles], 'all'),
  state: oneOf(['all', ...personStates], 'all'),
  sort: oneOf(sorts, 'displayName'),
  page: whole(1),
  size: whole(20, 10, 100),
  person: text('', 36),
};

const Who = ({ person, me }: { readonly person: Person; readonly me: boolean }): ReactElement => {
  const { t } = useTranslation('people');
  return (
    <Box
      component="span"
      sx={{
        display: 'inline-flex',
        alignItems: 'center',
        gap: 1,
        maxWidth: 1,
        verticalAlign: 'middle',
        ...(person.state === 'disabled' && { color: 'text.secondary' }),
      }}
    >
      <Avatar name={person.displayName} picture={person.avatar} size={26} />
      <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
        <Box component="span" sx={{ fontWeight: 500 }}>
          {person.displayName}
        </Box>
        {me && (
          <>
            {' '}
            <Tag>{t('list.me')}</Tag>
          </>
        )}
        <Box component="span" sx={{ ml: 1, color: 'text.secondary' }}>
          {person.loginName}
        </Box>
      </Box>
    </Box>
  );
};

const StateText = ({ person }: { readonly person: Person }): ReactElement => {
  const { t } = useTranslation('people');
  return (
    <Box component="span" sx={person.state === 'disabled' ? { color: 'error.main' } : {}}>
      {t(`state.${person.state}`)}
    </Box>
  );
};

const LastSeen = ({ person }: { readonly person: Person }): ReactElement => {
  const { t } = useTranslation('people');
  const format = useFormat();
  if (person.lastSeenAt === null) return <>{t('list.never')}</>;
  return <span title={format.dateTime(person.lastSeenAt)}>{format.relative(person.lastSeenAt)}</span>;
};

/** Columns of the table; `me` marks the reader's own row. */
function usePeopleColumns(me: string | undefined): Column<Person>[] {
  const { t } = useTranslation('people');
  const format = useFormat();
  const quiet = (label: string) => (
    <Box component="span" sx={{ color: 'text.secondary' }}>
      {label}
    </Box>
  );
  return [
    { id: 'displayName', name: t('column.name'), cell: (person) => <Who person={person} me={person.id === me} />, fills: true },
    { id: 'role', name: t('column.role'), cell: (person) => t(`role.${person.role}`) },
    {
      id: 'sites',
      name: t('column.sites'),
      sortable: false,
      numeric: true,
      cell: (person) => (may(person.role, 'site.seeAll') ? t('list.allSites') : format.number(person.sites)),
    },
    { id: 'email', name: t('column.email'), sortable: false, cell: (person) => person.email ?? quiet(t('list.none')) },
    {
      id: 'factor',
      name: t('column.factor'),
      sortable: false,
      cell: (person) => (person.secondFactor ? <span>{t('list.on')}</span> : quiet(t('list.off'))),
    },
    { id: 'state', name: t('column.state'), sortable: false, cell: (person) => <StateText person={person} /> },
    { id: 'lastSeenAt', name: t('column.lastUsed'), cell: (person) => <LastSeen person={person} /> },
  ];
}

/** On a phone: one block per person instead of a table row. */
function PeopleCards({
  people,
  me,
  addressOf,
}: {
  readonly people: readonly Person[];
  readonly me: string | undefined;
  readonly addressOf: (id: string) => string;
}): ReactElement {
  const { t } = useTranslation('people');
  return (
    <RowList label={t('list.label')}>
      {people.map((person) => (
        <Box component="li" key={person.id} sx={{ borderBottom: 1, borderColor: 'divider' }}>
          <Box component={Link} to={addressOf(person.id)} preventScrollReset sx={{ display: 'block', py: 1, color: 'inherit', textDecoration: 'none' }}>
            <Who person={person} me={person.id === me} />
            <Typography variant="caption" component="div" sx={{ pl: '34px', color: 'text.secondary' }}>
              {t(`role.${person.role}`)} · <StateText person={person} /> · {t('list.factorIs', { is: t(person.secondFactor ? 'list.on' : 'list.off') })} ·{' '}
              <LastSeen person={person} />
            </Typography>
          </Box>
        </Box>
      ))}
    </RowList>
  );
}

/** Everybody who may sign in. A row opens the drawer, which has its own address (`?person=`). */
export function PeopleTab(): ReactElement {
  const { t } = useTranslation('people');
  const onPhone = useMedia(phone);
  const me = useAppSelector(selectSession)?.userId;
  const { state, change, filter, search, paging, isFiltered, clear } = useListAddress(address, ['q', 'role', 'state']);
  const { q, role, state: status, sort, page, size, person } = state;
  const result = usePeopleQuery(
    { page, size, sort, ...(q !== '' && { q }), ...(role !== 'all' && { role }), ...(status !== 'all' && { state: status }) },
    { refetchOnMountOrArgChange: true },
  );
  const addressOf = (id: string) => `?${writeSearch(address, new URLSearchParams(location.search), { person: id }).toString()}`;
  const columns = usePeopleColumns(me);
  return (
    <>
      <PeopleFilters q={search.value} role={role} state={status} onSearch={search.onChange} onChange={filter} />
      <PagedList result={result} paging={paging} empty={isFiltered ? <NoMatch title={t('list.noMatch')} onClear={clear} /> : null}>
        {(people) =>
          onPhone ? (
            <PeopleCards people={people} me={me} addressOf={addressOf} />
          ) : (
            <DataTable
              label={t('list.label')}
              columns={columns}
              rows={people}
              rowKey={({ id }) => id}
              sort={[{ id: sort.replace('-', ''), dir: sort.startsWith('-') ? 'desc' : 'asc' }]}
              onSort={([first]) => {
                const next = `${first?.dir === 'desc' ? '-' : ''}${first?.id ?? 'displayName'}`;
                filter({ sort: sorts.find((one) => one === next) ?? 'displayName' });
              }}
              onRow={({ id }) => change({ person: id })}
            />
          )
        }
      </PagedList>
      <PersonDrawer id={person === '' ? null : person} onClose={() => change({ person: '' }, 'replace')} />
    </>
  );
}
