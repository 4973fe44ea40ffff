import { Box, Button, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { RowList } from '@/ui/list/RowList';
import { Section } from '@/ui/Section';
import { useRenewMutation, useRenewalsQuery } from '../tradesApi';
import type { Renewal } from '../tradesApi';
import { useTradeNotices, useTradeRights } from '../useTrades';

/** Orders that expire within 30 days or expired within the last seven, each with a button for the renewal. Absent if there are none. */
export function Renewals({ onOpen }: { readonly onOpen: (orderId: string) => void }): ReactElement | null {
  const { t } = useTranslation('trades');
  const { write, all } = useTradeRights();
  const notify = useTradeNotices();
  const { data } = useRenewalsQuery(undefined, { refetchOnMountOrArgChange: true });
  const [renew, { isLoading, originalArgs }] = useRenewMutation();
  if (data === undefined || data.length === 0) return null;

  const draft = async (row: Renewal) => {
    const result = await renew({ id: row.orderId });
    if (!result.data) return notify.bad(result.error);
    notify.good('renewals.drafted', { number: result.data.number });
    onOpen(result.data.id);
  };
  const when = ({ days }: Renewal): string =>
    days > 0 ? t('renewals.in', { count: days, n: days }) : days === 0 ? t('renewals.today') : t('renewals.ago', { count: -days, n: -days });
  return (
    <Box sx={{ mb: 3 }}>
      <Section title={t('renewals.title')} note={t('renewals.note')}>
        <RowList>
          {data.map((row) => (
            <Box
              component="li"
              key={row.orderId}
              sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 2, rowGap: 0.5, py: 1, borderBottom: 1, borderColor: 'divider' }}
            >
              <Box sx={{ flex: '1 1 220px', minWidth: 0 }}>
                <Typography variant="body2" sx={{ fontWeight: 500, overflowWrap: 'anywhere' }}>
                  {row.title}
                </Typography>
                <Typography variant="caption" component="div" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
                  {[row.number, ...(all ? [row.customer.name] : []), ...(row.site ? [row.site.name] : [])].join(' · ')}
                </Typography>
              </Box>
              <Typography variant="body2" component="span" sx={{ color: row.days < 0 ? 'error.main' : 'text.primary', whiteSpace: 'nowrap' }}>
                {row.endsOn}{' '}
                <Box component="span" sx={{ color: row.days < 0 ? 'inherit' : 'text.secondary' }}>
                  {when(row)}
                </Box>
              </Typography>
              {row.renewalOrderId !== null ? (
                <Button onClick={() => onOpen(row.renewalOrderId ?? '')} aria-label={t('renewals.viewNamed', { title: row.title })}>
                  {t('renewals.view')}
                </Button>
              ) : (
                write && (
                  <Button
                    variant="outlined"
                    disabled={isLoading}
                    aria-busy={isLoading && originalArgs?.id === row.orderId}
                    aria-label={t('renewals.draftNamed', { title: row.title })}
                    onClick={() => void draft(row)}
                  >
                    {t('renewals.draft')}
                  </Button>
                )
              )}
            </Box>
          ))}
        </RowList>
      </Section>
    </Box>
  );
}
