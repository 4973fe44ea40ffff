import Search from '@mui/icons-material/SearchOutlined';
import { Box, Button, InputAdornment, NativeSelect, OutlinedInput, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { personStates } from '@contract/people/schemas';
import type { Person } from '@contract/people/schemas';
import { instanceRoles, may } from '@contract/permissions';
import { selectSession } from '@/features/session/sessionSlice';
import { useFormat } from '@/lib/format';
import { oneOf, text, useSearchState, whole, writeSearch } from '@/lib/searchState';
import { phone, useMedia } from '@/lib/useMedia';
import { useTyped } from '@/lib/useTyped';
import { isFailure } from '@/store/failure';
import { useAppSelector } from '@/store/hooks';
import { AnswerState } from '@/ui/AnswerState';
import { DataTable } from '@/ui/DataTable';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Pager } from '@/ui/Pager';
import { PersonMark } from '@/ui/PersonMark';
import { RowsSkeleton } from '@/ui/skeletons';
import type { Column } from '@/ui/tableColumns';
import { usePeopleQuery } from './peopleApi';
import { PersonDrawer } from './PersonDrawer';

const sorts = ['displayName', '-displayName', 'createdAt', '-createdAt', 'lastSeenAt', '-lastSeenAt', 'role', '-role'] as const;
const sizes = [20, 50, 100] as const;
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
      <PersonMark name={person.displayName} picture={person.avatar} size={26} />
      <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
        <Box component="span" sx={{ fontWeight: 500 }}>
          {person.displayName}
        </Box>
        {me && (
          <Box
            component="span"
            sx={{ ml: 0.75, px: 0.5, py: '1px', fontSize: 11, border: 1, borderColor: 'divider', borderRadius: 1, color: 'text.secondary' }}
          >
            {t('list.me')}
          </Box>
        )}
        <Box component="span" sx={{ ml: 1, color: 'text.secondary' }}>
          {person.loginName}
        </Box>
      </Box>
    </Box>
  );
};

/** Everybody who may sign in. A row opens the drawer, which has its own address (`?person=`). */
export function PeopleTab(): ReactElement {
  const { t } = useTranslation('people');
  const format = useFormat();
  const onPhone = useMedia(phone);
  const me = useAppSelector(selectSession)?.userId;
  const [{ q: searched, role, state, sort, page, size, person }, change] = useSearchState(address);
  const [q, setQ] = useTyped(searched, (next) => change({ q: next, page: 1 }, 'replace'));
  const answer = usePeopleQuery(
    { page, size, sort, ...(searched !== '' && { q: searched }), ...(role !== 'all' && { role }), ...(state !== 'all' && { state }) },
    { refetchOnMountOrArgChange: true },
  );
  const filtered = searched !== '' || role !== 'all' || state !== 'all';
  const seen = (one: Person) =>
    one.lastSeenAt === null ? t('list.never') : <span title={format.dateTime(one.lastSeenAt)}>{format.relative(one.lastSeenAt)}</span>;
  const sites = (one: Person) => (may(one.role, 'site.seeAll') ? t('list.allSites') : format.number(one.sites));
  const stateOf = (one: Person) => (
    <Box component="span" sx={one.state === 'disabled' ? { color: 'error.main' } : {}}>
      {t(`state.${one.state}`)}
    </Box>
  );
  const factor = (one: Person) => (
    <Box component="span" sx={one.secondFactor ? {} : { color: 'text.secondary' }}>
      {t(one.secondFactor ? 'list.on' : 'list.off')}
    </Box>
  );
  const columns: Column<Person>[] = [
    { id: 'displayName', name: t('column.name'), cell: (one) => <Who person={one} me={one.id === me} />, fills: true },
    { id: 'role', name: t('column.role'), cell: (one) => t(`role.${one.role}`) },
    { id: 'sites', name: t('column.sites'), sortable: false, numeric: true, cell: sites },
    {
      id: 'email',
      name: t('column.email'),
      sortable: false,
      cell: (one) =>
        one.email ?? (
          <Box component="span" sx={{ color: 'text.secondary' }}>
            {t('list.none')}
          </Box>
        ),
    },
    { id: 'factor', name: t('column.factor'), sortable: false, cell: factor },
    { id: 'state', name: t('column.state'), sortable: false, cell: stateOf },
    { id: 'lastSeenAt', name: t('column.seen'), cell: seen },
  ];
  const open = (id: string) => change({ person: id });
  const addressOf = (id: string) => `?${writeSearch(address, new URLSearchParams(location.search), { person: id }).toString()}`;
  const clear = (
    <Button
      variant="outlined"
      onClick={() => {
        setQ('');
        change({ q: '', role: 'all', state: 'all', page: 1 }, 'replace');
      }}
    >
      {t('list.clear')}
    </Button>
  );
  const choose = <V extends string>(label: string, value: V, values: readonly V[], name: (value: V) => string, put: (value: V) => void) => (
    <NativeSelect
      value={value}
      onChange={(event) => put(event.target.value as V)}
      input={<OutlinedInput size="small" />}
      inputProps={{ 'aria-label': label }}
      sx={{ height: 32, fontSize: 13, flex: { xs: 1, sm: 'none' } }}
    >
      {values.map((one) => (
        <option key={one} value={one}>
          {name(one)}
        </option>
      ))}
    </NativeSelect>
  );
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, mb: 1.5 }}>
        <OutlinedInput
          size="small"
          type="search"
          value={q}
          placeholder={t('list.searchPlaceholder')}
          onChange={(event) => setQ(event.target.value)}
          startAdornment={
            <InputAdornment position="start">
              <Search sx={{ fontSize: 18 }} />
            </InputAdornment>
          }
          slotProps={{ input: { 'aria-label': t('list.search'), maxLength: 100 } }}
          sx={{ height: 32, width: { xs: 1, sm: 280 } }}
        />
        {choose(
          t('column.role'),
          role,
          ['all', ...instanceRoles],
          (one) => (one === 'all' ? t('list.anyRole') : t(`role.${one}`)),
          (next) => change({ role: next, page: 1 }),
        )}
        {choose(
          t('column.state'),
          state,
          ['all', ...personStates],
          (one) => (one === 'all' ? t('list.anyState') : t(`state.${one}`)),
          (next) => change({ state: next, page: 1 }),
        )}
      </Box>
      <AnswerState
        answer={answer}
        skeleton={<RowsSkeleton rows={8} />}
        failed={(error, retry, retrying) => <ErrorPanel failure={isFailure(error) ? error : null} onRetry={retry} retrying={retrying} />}
      >
        {(data) =>
          data.rows.length === 0 ? (
            <EmptyState
              kind="noMatch"
              title={filtered ? t('list.noMatch') : t('list.pastEnd')}
              action={
                filtered ? (
                  clear
                ) : (
                  <Button variant="outlined" onClick={() => change({ page: 1 })}>
                    {t('list.firstPage')}
                  </Button>
                )
              }
            />
          ) : (
            <>
              {onPhone ? (
                <Box component="ul" aria-label={t('list.label')} sx={{ m: 0, p: 0, listStyle: 'none', borderTop: 1, borderColor: 'divider' }}>
                  {data.rows.map((one) => (
                    <Box component="li" key={one.id} sx={{ borderBottom: 1, borderColor: 'divider' }}>
                      <Box
                        component={Link}
                        to={addressOf(one.id)}
                        preventScrollReset
                        sx={{ display: 'block', py: 1, color: 'inherit', textDecoration: 'none' }}
                      >
                        <Who person={one} me={one.id === me} />
                        <Typography variant="caption" component="div" sx={{ pl: '34px', color: 'text.secondary' }}>
                          {t(`role.${one.role}`)} · {stateOf(one)} · {t('list.factorIs', { is: t(one.secondFactor ? 'list.on' : 'list.off') })} · {seen(one)}
                        </Typography>
                      </Box>
                    </Box>
                  ))}
                </Box>
              ) : (
                <DataTable
                  label={t('list.label')}
                  columns={columns}
                  rows={data.rows}
                  rowKey={(one) => one.id}
                  sort={[{ id: sort.replace('-', ''), dir: sort.startsWith('-') ? 'desc' : 'asc' }]}
                  onSort={([first]) => {
                    const next = `${first?.dir === 'desc' ? '-' : ''}${first?.id ?? 'displayName'}`;
                    change({ sort: sorts.find((one) => one === next) ?? 'displayName', page: 1 });
                  }}
                  onRow={(one) => open(one.id)}
                />
              )}
              <Pager
                page={page}
                size={size}
                count={data.total}
                sizes={sizes}
                onPage={(next) => change({ page: next })}
                onSize={(next) => change({ size: next, page: 1 })}
              />
            </>
          )
        }
      </AnswerState>
      <PersonDrawer id={person === '' ? null : person} onClose={() => change({ person: '' }, 'replace')} />
    </>
  );
}
