import { Box, Typography } from '@mui/material';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Currency } from '@contract/trades/ledger';
import { useMoney } from '../useTrades';

type Sums = { readonly subtotal: number; readonly discount: number; readonly tax: number; readonly total: number };

/** The sums below the lines of an order; zero amounts are omitted, except the total. */
export function Totals({ sums, currency, note }: { readonly sums: Sums; readonly currency: Currency; readonly note?: ReactNode }): ReactElement {
  const { t } = useTranslation('trades');
  const money = useMoney();
  const extra = sums.discount !== 0 || sums.tax !== 0;
  const row = (label: string, value: string, strong = false) => (
    <>
      <Box component="dt" sx={{ color: strong ? 'text.primary' : 'text.secondary', fontWeight: strong ? 600 : 400 }}>
        {label}
      </Box>
      <Box component="dd" sx={{ m: 0, textAlign: 'right', fontWeight: strong ? 600 : 400, fontSize: strong ? 'var(--text-section)' : 'var(--text-table)' }}>
        {value}
      </Box>
    </>
  );
  return (
    <Box sx={{ ml: 'auto', width: 'fit-content', minWidth: { xs: '100%', sm: 220 } }}>
      <Box
        component="dl"
        aria-label={t('totals.label')}
        sx={{
          m: 0,
          display: 'grid',
          gridTemplateColumns: 'auto auto',
          justifyContent: 'space-between',
          columnGap: 3,
          rowGap: 0.25,
          alignItems: 'baseline',
          fontSize: 'var(--text-table)',
        }}
      >
        {extra && row(t('totals.subtotal'), money(sums.subtotal, currency))}
        {sums.discount !== 0 && row(t('totals.discount'), money(-sums.discount, currency))}
        {sums.tax !== 0 && row(t('totals.tax'), money(sums.tax, currency))}
        {row(t('totals.total'), money(sums.total, currency), true)}
      </Box>
      {note !== undefined && (
        <Typography variant="caption" component="div" sx={{ color: 'text.secondary', textAlign: 'right' }}>
          {note}
        </Typography>
      )}
    </Box>
  );
}
