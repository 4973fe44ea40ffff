import { Box, Button, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { BlockedRequest, BlockedSummary } from '@contract/countryBlock/schemas';
import { unknownCountry } from '@contract/countryBlock/codes';
import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import { useFormat } from '@/lib/format';
import { text, whole } from '@/lib/searchState';
import { useListAddress } from '@/lib/useListAddress';
import { DataTable } from '@/ui/DataTable';
import { EmptyState } from '@/ui/EmptyState';
import { FilterSelect } from '@/ui/FilterSelect';
import { ListContent } from '@/ui/list/ListContent';
import { Pager } from '@/ui/Pager';
import { Tag } from '@/ui/Tag';
import type { Column } from '@/ui/tableColumns';
import { blockedFile, useBlockedRequestsQuery, useBlockedSummaryQuery } from './countryBlockApi';
import { useCountryNames } from './useCountryNames';

const address = { part: text('rule', 10), country: text('', 2), page: whole(1), size: whole(20, 20, 100) };
const sizes = [20, 50, 100] as const;

/** What was concerned most. */
function Top({ summary }: { readonly summary: BlockedSummary }): ReactElement {
  const { t } = useTranslation('countryBlock');
  const format = useFormat();
  const { flagged } = useCountryNames();
  const lists = [
    { id: 'countries', rows: summary.countries.map(({ value, requests }) => ({ name: flagged(value === '' ? null : value), requests })) },
    { id: 'addresses', rows: summary.addresses.map(({ value, requests }) => ({ name: value === '' ? t('log.noAddress') : value, requests })) },
    { id: 'paths', rows: summary.paths.map(({ value, requests }) => ({ name: value, requests })) },
  ] as const;
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'repeat(auto-fit, minmax(min(240px, 100%), 1fr))', gap: 3, my: 2 }}>
      {lists.map(({ id, rows }) => (
        <section key={id} aria-label={t(`log.${id}`)}>
          <Typography variant="body2" component="h2" sx={{ fontWeight: 500, mb: 0.5 }}>
            {t(`log.${id}`)}
          </Typography>
          <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none', fontSize: 'var(--text-table)' }}>
            {rows.slice(0, 5).map(({ name, requests }) => (
              <Box component="li" key={name} sx={{ display: 'flex', gap: 1, py: 0.25 }}>
                <Box component="span" sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
                  {name}
                </Box>
                <span>{format.number(requests)}</span>
              </Box>
            ))}
          </Box>
        </section>
      ))}
    </Box>
  );
}

function useColumns(timeZone: string, mayChange: boolean): readonly Column<BlockedRequest>[] {
  const { t } = useTranslation('countryBlock');
  const format = useFormat();
  const { flagged } = useCountryNames();
  const columns: readonly Column<BlockedRequest>[] = [
    { id: 'at', name: t('column.time'), minWidth: 150, cell: ({ at }) => format.dateTime(at, { timeZone, seconds: true }) },
    {
      id: 'action',
      name: t('column.decision'),
      minWidth: 96,
      cell: ({ action }) => <Tag tone={action === 'log_only' ? 'info' : 'bad'}>{t(`decision.${action}`)}</Tag>,
    },
    { id: 'country', name: t('column.country'), minWidth: 120, cell: ({ country }) => flagged(country) },
    { id: 'address', name: t('column.address'), minWidth: 140, cell: (row) => row.address },
    { id: 'host', name: t('column.host'), minWidth: 140, cell: ({ host }) => host, extra: true },
    { id: 'path', name: t('column.path'), minWidth: 160, fills: true, cell: ({ path }) => path },
    { id: 'agent', name: t('column.userAgent'), minWidth: 240, cell: ({ userAgent }) => userAgent, extra: true },
    { id: 'weight', name: t('column.weight'), hint: t('column.weightHint'), numeric: true, cell: ({ weight }) => format.number(weight) },
    { id: 'version', name: t('column.version'), numeric: true, cell: ({ version }) => format.number(version), extra: true },
  ];
  const open: Column<BlockedRequest> = {
    id: 'open',
    name: t('column.open'),
    minWidth: 96,
    cell: (row) =>
      row.address !== '' && (
        <Link to={`?open=${encodeURIComponent(row.address)}`} aria-label={t('log.openOf', { address: row.address })}>
          {t('log.open')}
        </Link>
      ),
  };
  return mayChange ? [...columns, open] : columns;
}

/** Requests that the rule refused, challenged or would have refused. */
export function BlockedLog({ site }: { readonly site: Site }): ReactElement {
  const { t } = useTranslation('countryBlock');
  const format = useFormat();
  const { flagged } = useCountryNames();
  const { state, filter, paging } = useListAddress(address, ['country']);
  const query = { siteId: site.id, ...(state.country === '' ? {} : { country: state.country }) };
  const result = useBlockedRequestsQuery({ ...query, page: state.page, size: state.size }, { refetchOnMountOrArgChange: true });
  const summary = useBlockedSummaryQuery(query, { refetchOnMountOrArgChange: true });
  const columns = useColumns(site.timeZone, mayOnSite(site.role, 'site.compose'));
  const listed = summary.data?.countries.map(({ value }) => (value === '' ? unknownCountry : value)) ?? [];
  return (
    <Box sx={{ mt: 2 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
        <FilterSelect
          label={t('column.country')}
          value={state.country}
          choices={[
            { value: '', label: t('log.everywhere') },
            ...[...new Set([...listed, state.country])].filter((one) => one !== '').map((value) => ({ value, label: flagged(value) })),
          ]}
          onChoose={(country) => filter({ country })}
        />
        {summary.data && (
          <Typography variant="body2">{t('log.sum', { count: summary.data.requests, number: format.number(summary.data.requests) })}</Typography>
        )}
        <Button component="a" href={blockedFile(site.id, state.country)} download sx={{ ml: 'auto' }}>
          {t('log.csv')}
        </Button>
      </Box>
      {summary.data && summary.data.requests > 0 && <Top summary={summary.data} />}
      <ListContent
        result={result}
        rowsOf={({ rows }) => rows}
        empty={
          <EmptyState ghost="rows" title={t('log.empty')}>
            {t('log.emptyText')}
          </EmptyState>
        }
      >
        {(rows, { total }) => (
          <>
            <DataTable label={t('part.log')} columns={columns} rows={rows} rowKey={({ id }) => id} dense remember="countryBlock.log" />
            <Pager {...paging} count={total} sizes={sizes} />
          </>
        )}
      </ListContent>
    </Box>
  );
}
