import { Box, Dialog, DialogContent, DialogTitle, Typography } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Order } from '@contract/trades/ledger';
import { isFailure } from '@/lib/failure';
import { ResultState } from '@/ui/ResultState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { FilterSelect } from '@/ui/FilterSelect';
import { RowsSkeleton } from '@/ui/skeletons';
import { leftToInvoice, settledStates } from '../orderStatus';
import { useCustomersQuery, useOrdersQuery } from '../tradesApi';
import { useTradeRights } from '../useTrades';
import { InvoiceForm } from './InvoiceForm';

/** Orders of one customer that an invoice can still cover, loaded when the dialog opens. */
function Candidates({
  customerId,
  children,
}: {
  readonly customerId: string;
  readonly children: (orders: readonly Order[], refetch: () => void) => ReactElement;
}): ReactElement {
  const { t } = useTranslation('trades');
  const result = useOrdersQuery({ customerId, state: [...settledStates], page: 1, size: 100 }, { refetchOnMountOrArgChange: true });
  return (
    <ResultState
      result={result}
      skeleton={
        <Box sx={{ px: 3, pb: 2 }}>
          <RowsSkeleton rows={4} />
        </Box>
      }
      failed={(error, onRetry, retrying) => (
        <Box sx={{ px: 3, pb: 2 }}>
          <ErrorPanel failure={isFailure(error) ? error : null} onRetry={onRetry} retrying={retrying} />
        </Box>
      )}
    >
      {({ rows }) => {
        const open = rows.filter((order) => leftToInvoice(order) > 0);
        return open.length > 0 ? (
          children(open, () => void result.refetch())
        ) : (
          <Typography role="status" variant="body2" sx={{ color: 'text.secondary', px: 3, pb: 3 }}>
            {t('invoice.nothing')}
          </Typography>
        );
      }}
    </ResultState>
  );
}

/** Requests an invoice: for one order, or for several of one customer that are paid and not invoiced yet. */
export function InvoiceDialog({
  order,
  onStale = () => undefined,
  onClose,
}: {
  readonly order?: Order;
  readonly onStale?: () => void;
  readonly onClose: () => void;
}): ReactElement {
  const { t } = useTranslation('trades');
  const titleId = useId();
  const { all, write, userId } = useTradeRights();
  const { data, error, refetch, isFetching } = useCustomersQuery(undefined, { skip: order !== undefined || !all });
  const [chosen, setChosen] = useState('');
  const customerId = order?.customer.id ?? (write ? chosen : userId);
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId} fullWidth maxWidth="sm">
      <DialogTitle id={titleId}>{t('invoice.ask')}</DialogTitle>
      {order === undefined && write && (
        <DialogContent sx={{ flex: 'none', overflow: 'visible', pb: 1 }}>
          <Box sx={{ display: 'grid', gap: 1 }}>
            {isFailure(error) && <ErrorPanel failure={error} onRetry={() => void refetch()} retrying={isFetching} />}
            <FilterSelect
              label={t('form.customerId')}
              autoFocus
              value={chosen}
              choices={[{ value: '', label: t('invoice.chooseCustomer') }, ...(data?.people ?? []).map(({ id, name }) => ({ value: id, label: name }))]}
              onChoose={setChosen}
            />
          </Box>
        </DialogContent>
      )}
      {order !== undefined ? (
        <InvoiceForm orders={[order]} onStale={onStale} onClose={onClose} />
      ) : customerId !== '' && customerId !== null ? (
        <Candidates key={customerId} customerId={customerId}>
          {(orders, onChanged) => <InvoiceForm orders={orders} onStale={onChanged} onClose={onClose} />}
        </Candidates>
      ) : null}
    </Dialog>
  );
}
