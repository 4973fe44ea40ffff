import { Box, Button, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { currencies } from '@contract/trades/ledger';
import type { Statement } from '@contract/trades/ledger';
import { useFormat } from '@/lib/format';
import { useSearchState } from '@/lib/searchState';
import { phone, useMedia } from '@/lib/useMedia';
import { isFailure } from '@/lib/failure';
import { ResultState } from '@/ui/ResultState';
import { DataTable } from '@/ui/DataTable';
import { DateRangeField } from '@/ui/DateRangeField';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { FilterSelect } from '@/ui/FilterSelect';
import { RowList } from '@/ui/list/RowList';
import { RowsSkeleton } from '@/ui/skeletons';
import type { Column } from '@/ui/tableColumns';
import { statementAddress } from '../address';
import { rangeIds, rangeIdOf, rangeOf, readDays, shiftDays } from '../ranges';
import { statementFile, useCustomersQuery, useStatementQuery } from '../tradesApi';
import type { StatementOf } from '../tradesApi';
import { useMoney, useReaderDay, useTradeRights } from '../useTrades';

type StatementLine = Statement['lines'][number];
/** The time zone of days in the ledger (contract: StatementLine). */
const ledgerZone = 'Asia/Shanghai';

/** Opening balance, charges and payments, closing balance: the most important figures. */
function Figures({ statement }: { readonly statement: Statement }): ReactElement {
  const { t } = useTranslation('trades');
  const money = useMoney();
  const figures = (['opening', 'charges', 'payments', 'refunds', 'closing'] as const).map((name) => ({ name, value: statement[name] }));
  return (
    <Box component="dl" sx={{ m: 0, mb: 3, display: { xs: 'grid', sm: 'flex' }, gridTemplateColumns: '1fr 1fr', columnGap: { xs: 2, sm: 5 }, rowGap: 1.5 }}>
      {figures.map(({ name, value }) => (
        <div key={name}>
          <Typography component="dt" variant="caption" sx={{ color: 'text.secondary' }}>
            {t(`statement.${name}`)}
          </Typography>
          <Typography
            component="dd"
            sx={{ m: 0, fontSize: name === 'closing' ? 'var(--text-page)' : 'var(--text-section)', fontWeight: name === 'closing' ? 600 : 500 }}
          >
            {money(value, statement.currency)}
          </Typography>
        </div>
      ))}
    </Box>
  );
}

function Lines({ statement }: { readonly statement: Statement }): ReactElement {
  const { t } = useTranslation('trades');
  const money = useMoney();
  const format = useFormat();
  const onPhone = useMedia(phone);
  const say = (value: number) => money(value, statement.currency);
  const day = (line: StatementLine) => format.date(line.at, { timeZone: ledgerZone, weekday: false });
  if (onPhone) {
    return (
      <RowList label={t('tabs.statement')}>
        {statement.lines.map((line, at) => (
          <Box component="li" key={at} sx={{ py: 1, borderBottom: 1, borderColor: 'divider' }}>
            <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 2 }}>
              <Box component="span" sx={{ overflowWrap: 'anywhere' }}>
                {t(`statement.kind.${line.kind}`)} · {line.title}
              </Box>
              <Box component="span" sx={{ fontWeight: 500, whiteSpace: 'nowrap' }}>
                {say(line.amount)}
              </Box>
            </Box>
            <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 2, fontSize: 'var(--text-secondary)', color: 'text.secondary' }}>
              <span>
                {day(line)} · {line.number}
              </span>
              <span>{t('statement.balanceIs', { amount: say(line.balance) })}</span>
            </Box>
          </Box>
        ))}
      </RowList>
    );
  }
  const rows = statement.lines.map((line, at) => ({ line, at }));
  const columns: Column<(typeof rows)[number]>[] = [
    { id: 'at', name: t('statement.column.at'), cell: ({ line }) => day(line), minWidth: 110 },
    { id: 'kind', name: t('statement.column.kind'), cell: ({ line }) => t(`statement.kind.${line.kind}`) },
    { id: 'number', name: t('statement.column.number'), cell: ({ line }) => line.number },
    {
      id: 'title',
      name: t('statement.column.title'),
      cell: ({ line }) => (
        <Box
          component="span"
          title={line.title}
          sx={{ display: 'inline-block', maxWidth: 320, overflow: 'hidden', textOverflow: 'ellipsis', verticalAlign: 'bottom' }}
        >
          {line.title}
        </Box>
      ),
    },
    { id: 'amount', name: t('statement.column.amount'), cell: ({ line }) => say(line.amount), numeric: true },
    { id: 'balance', name: t('statement.column.balance'), cell: ({ line }) => say(line.balance), numeric: true },
  ];
  return <DataTable label={t('tabs.statement')} columns={columns} rows={rows} rowKey={({ at }) => String(at)} />;
}

/** What one customer was charged, paid and owes; only the person's own without the right to see everybody's. */
export function StatementTab(): ReactElement {
  const { t } = useTranslation('trades');
  const { all } = useTradeRights();
  const { today } = useReaderDay();
  const [{ customer, currency, from, to }, change] = useSearchState(statementAddress);
  const { data: customers, error, refetch, isFetching } = useCustomersQuery(undefined, { skip: !all });
  const days = readDays(from, to) ?? rangeOf('thisMonth', today);
  const of: StatementOf = { ...(all && { customerId: customer }), currency, ...days };
  const result = useStatementQuery(of, { skip: all && customer === '', refetchOnMountOrArgChange: true });
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, mb: 3 }}>
        {all && (
          <FilterSelect
            label={t('orders.customer')}
            value={customer}
            choices={[{ value: '', label: t('statement.choose') }, ...(customers?.people ?? []).map(({ id, name }) => ({ value: id, label: name }))]}
            onChoose={(next) => change({ customer: next })}
          />
        )}
        <FilterSelect
          label={t('form.currency')}
          value={currency}
          choices={currencies.map((one) => ({ value: one, label: `${t(`currency.${one}`)} ${one}` }))}
          onChoose={(next) => change({ currency: currencies.find((one) => one === next) ?? 'CNY' })}
        />
        <DateRangeField
          label={t('statement.days')}
          chosen={rangeIdOf(days, today)}
          value={days}
          choices={rangeIds.map((id) => ({ id, name: t(`range.${id}`), ...rangeOf(id, today) }))}
          min="2000-01-01"
          max={`${today.slice(0, 4)}-12-31`}
          onChoose={(id) => {
            const known = rangeIds.find((one) => one === id);
            if (known) change(rangeOf(known, today));
          }}
          onRange={change}
          onShift={(direction) => change(shiftDays(days, direction))}
        />
        {result.currentData && (
          <Box sx={{ display: 'flex', gap: 1, ml: { xs: -1.5, md: 'auto' } }}>
            <Button component="a" href={statementFile(of, 'csv')} download>
              {t('csv')}
            </Button>
            <Button component="a" href={statementFile(of, 'pdf')} download>
              {t('pdf')}
            </Button>
          </Box>
        )}
      </Box>
      {isFailure(error) && <ErrorPanel failure={error} onRetry={() => void refetch()} retrying={isFetching} />}
      {all && customer === '' ? (
        <EmptyState title={t('statement.choose')}>{t('statement.chooseText')}</EmptyState>
      ) : (
        <ResultState result={result} skeleton={<RowsSkeleton />}>
          {(statement) => (
            <>
              <Figures statement={statement} />
              {statement.lines.length === 0 ? <EmptyState kind="noMatch" title={t('statement.empty')} /> : <Lines statement={statement} />}
              <Typography variant="caption" component="p" sx={{ mt: 1.5, color: 'text.secondary' }}>
                {t('statement.note')}
              </Typography>
            </>
          )}
        </ResultState>
      )}
    </>
  );
}
