import { Box, Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { orderKinds } from '@contract/trades/ledger';
import { selectSites } from '@/features/sites/sitesSlice';
import type { StateOf } from '@/lib/searchState';
import { useAppSelector } from '@/store/hooks';
import { DateRangeField } from '@/ui/DateRangeField';
import { FilterSelect } from '@/ui/FilterSelect';
import { SearchBox } from '@/ui/SearchBox';
import { groupNames } from '../address';
import type { orderAddress } from '../address';
import { rangeIds, rangeIdOf, rangeOf, readDays } from '../ranges';
import { useCustomersQuery } from '../tradesApi';
import { useReaderDay, useTradeRights } from '../useTrades';

type State = StateOf<typeof orderAddress>;

type Props = { readonly value: State; readonly onChange: (change: Partial<State>) => void };

/** States as buttons, of which one is pressed. */
function StateButtons({ value, onChange }: Props): ReactElement {
  const { t } = useTranslation('trades');
  return (
    <Box role="group" aria-label={t('orders.stateFilter')} sx={{ display: 'flex', gap: 0.5, overflowX: 'auto', mx: -0.5, px: 0.5, py: 0.25 }}>
      {(['all', ...groupNames] as const).map((one) => (
        <Button
          key={one}
          aria-pressed={value.state === one}
          onClick={() => onChange({ state: one })}
          sx={{
            flex: 'none',
            minWidth: 0,
            px: 1.25,
            color: 'text.secondary',
            '&[aria-pressed="true"]': { bgcolor: 'action.hover', color: 'text.primary', fontWeight: 600 },
          }}
        >
          {t(`group.${one}`)}
        </Button>
      ))}
    </Box>
  );
}

/** A preset range, or any two days. */
function RangeFilter({ value, onChange }: Props): ReactElement {
  const { t } = useTranslation('trades');
  const { today } = useReaderDay();
  const days = readDays(value.from, value.to);
  const range = days === null ? 'any' : rangeIdOf(days, today);
  const chooseRange = (id: string) => {
    const known = rangeIds.find((one) => one === id);
    if (known) return onChange(rangeOf(known, today));
    if (id === 'custom') return onChange(days ?? rangeOf('thisMonth', today));
    return onChange({ from: '', to: '' });
  };
  return (
    <>
      <FilterSelect
        label={t('orders.days')}
        value={range}
        choices={[
          { value: 'any', label: t('range.any') },
          ...rangeIds.map((id) => ({ value: id, label: t(`range.${id}`) })),
          { value: 'custom', label: t('range.custom') },
        ]}
        onChoose={chooseRange}
      />
      {days !== null && (
        <DateRangeField
          label={t('orders.days')}
          chosen={range}
          value={days}
          choices={rangeIds.map((id) => ({ id, name: t(`range.${id}`), ...rangeOf(id, today) }))}
          min="2000-01-01"
          max={`${today.slice(0, 4)}-12-31`}
          onChoose={chooseRange}
          onRange={onChange}
        />
      )}
    </>
  );
}

/** Filters: search text, state as buttons, and the rest as selects. All of them are in the address. */
export function OrderFilters({
  value,
  q,
  onSearch,
  onChange,
}: Props & {
  /** The typed text; the address follows with a delay. */
  readonly q: string;
  readonly onSearch: (q: string) => void;
}): ReactElement {
  const { t } = useTranslation('trades');
  const { all } = useTradeRights();
  const { data } = useCustomersQuery(undefined, { skip: !all });
  const ownSites = useAppSelector(selectSites);
  const sites = data?.sites ?? ownSites;
  return (
    <Box sx={{ display: 'grid', gap: 1.5, mb: 2 }}>
      <StateButtons value={value} onChange={onChange} />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
        <SearchBox label={t('orders.search')} placeholder={t(all ? 'orders.searchAll' : 'orders.searchOwn')} value={q} onChange={onSearch} />
        {all && (
          <FilterSelect
            label={t('orders.customer')}
            value={value.customer}
            choices={[{ value: '', label: t('orders.anyCustomer') }, ...(data?.people ?? []).map(({ id, name }) => ({ value: id, label: name }))]}
            onChoose={(customer) => onChange({ customer })}
          />
        )}
        {sites.length > 0 && (
          <FilterSelect
            label={t('orders.site')}
            value={value.site}
            choices={[{ value: '', label: t('orders.anySite') }, ...sites.map(({ id, name }) => ({ value: id, label: name }))]}
            onChoose={(site) => onChange({ site })}
          />
        )}
        <FilterSelect
          label={t('orders.kind')}
          value={value.kind}
          choices={[{ value: 'all', label: t('orders.anyKind') }, ...orderKinds.map((kind) => ({ value: kind, label: t(`kind.${kind}`) }))]}
          onChoose={(kind) => onChange({ kind: orderKinds.find((one) => one === kind) ?? 'all' })}
        />
        <RangeFilter value={value} onChange={onChange} />
      </Box>
    </Box>
  );
}
