import { Box, Table, TableBody, TableCell, TableContainer, TableHead, TableRow, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { OrderWhole } from '@contract/trades/ledger';
import { phone, useMedia } from '@/lib/useMedia';
import { useMoney } from '../useTrades';
import { percentText, quantityText } from './orderForm';
import { Totals } from './Totals';

/** The lines on a phone. */
function ItemList({ order: { items, currency } }: { readonly order: OrderWhole }): ReactElement {
  const { t } = useTranslation('trades');
  const money = useMoney();
  return (
    <Box component="ul" aria-label={t('items.label')} sx={{ m: 0, mb: 1, p: 0, listStyle: 'none', borderTop: 1, borderColor: 'divider' }}>
      {items.map((item, at) => (
        <Box component="li" key={at} sx={{ py: 1, borderBottom: 1, borderColor: 'divider' }}>
          <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 2 }}>
            <Box component="span" sx={{ overflowWrap: 'anywhere' }}>
              {item.name}
            </Box>
            <Box component="span" sx={{ whiteSpace: 'nowrap' }}>
              {money(item.amount, currency)}
            </Box>
          </Box>
          <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
            {[
              `${quantityText(item.quantity)} × ${money(item.unitPrice, currency)}`,
              ...(item.discount === 0 ? [] : [t('items.lessDiscount', { amount: money(item.discount, currency) })]),
              ...(item.taxRate === 0 ? [] : [t('items.withTax', { rate: percentText(item.taxRate), amount: money(item.tax, currency) })]),
            ].join(' · ')}
          </Typography>
        </Box>
      ))}
    </Box>
  );
}

/** The lines of an order and their sums; on a phone each line takes two rows. */
export function ItemsTable({ order }: { readonly order: OrderWhole }): ReactElement {
  const { t } = useTranslation('trades');
  const money = useMoney();
  const onPhone = useMedia(phone);
  const { items, currency } = order;
  const discounted = items.some((item) => item.discount !== 0);
  const taxed = items.some((item) => item.taxRate !== 0);
  if (onPhone) {
    return (
      <>
        <ItemList order={order} />
        <Totals sums={order} currency={currency} />
      </>
    );
  }
  return (
    <>
      <TableContainer>
        <Table
          size="small"
          aria-label={t('items.label')}
          sx={{ '& th:first-of-type': { pl: 0 }, '& td:last-of-type, & thead th:last-of-type': { pr: 0 }, mb: 1 }}
        >
          <TableHead>
            <TableRow>
              <TableCell>{t('items.name')}</TableCell>
              <TableCell align="right">{t('items.quantity')}</TableCell>
              <TableCell align="right">{t('items.unitPrice')}</TableCell>
              {discounted && <TableCell align="right">{t('items.discount')}</TableCell>}
              {taxed && <TableCell align="right">{t('items.rate')}</TableCell>}
              <TableCell align="right">{t('items.amount')}</TableCell>
              {taxed && <TableCell align="right">{t('items.tax')}</TableCell>}
            </TableRow>
          </TableHead>
          <TableBody sx={{ fontVariantNumeric: 'tabular-nums' }}>
            {items.map((item, at) => (
              <TableRow key={at}>
                <TableCell component="th" scope="row" sx={{ overflowWrap: 'anywhere', fontWeight: 400 }}>
                  {item.name}
                </TableCell>
                <TableCell align="right">{quantityText(item.quantity)}</TableCell>
                <TableCell align="right" sx={{ whiteSpace: 'nowrap' }}>
                  {money(item.unitPrice, currency)}
                </TableCell>
                {discounted && (
                  <TableCell align="right" sx={{ whiteSpace: 'nowrap' }}>
                    {item.discount === 0 ? '' : money(-item.discount, currency)}
                  </TableCell>
                )}
                {taxed && <TableCell align="right">{percentText(item.taxRate)}%</TableCell>}
                <TableCell align="right" sx={{ whiteSpace: 'nowrap' }}>
                  {money(item.amount, currency)}
                </TableCell>
                {taxed && (
                  <TableCell align="right" sx={{ whiteSpace: 'nowrap' }}>
                    {money(item.tax, currency)}
                  </TableCell>
                )}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </TableContainer>
      <Totals sums={order} currency={currency} />
    </>
  );
}
