import { Box, Button, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router-dom';
import type { Invoice } from '@contract/trades/ledger';
import { useFormat } from '@/lib/format';
import { writeSearch } from '@/lib/searchState';
import { fileSize } from '@/ui/form/FileField';
import { pageAddress } from '../address';
import { invoiceTones } from '../orderStatus';
import { StateMark } from '../StateMark';
import { invoiceFile } from '../tradesApi';
import { useMoney, useReaderDay, useTradeRights } from '../useTrades';

export type InvoiceAction = 'start' | 'issue' | 'reject' | 'red';
const actsOf: Readonly<Record<Invoice['state'], readonly InvoiceAction[]>> = {
  requested: ['issue', 'start', 'reject'],
  issuing: ['issue', 'reject'],
  issued: ['red'],
  rejected: [],
  red: [],
};

/** State, type, number and date. */
function InvoiceFacts({ invoice, withCustomer }: { readonly invoice: Invoice; readonly withCustomer: boolean }): ReactElement {
  const { t } = useTranslation('trades');
  const format = useFormat();
  const { timeZone } = useReaderDay();
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2, fontSize: 'var(--text-table)' }}>
      <StateMark tone={invoiceTones[invoice.state]}>{t(`invoiceState.${invoice.state}`)}</StateMark>
      <span>{t(`invoiceType.${invoice.type}`)}</span>
      {invoice.number !== '' && <span>{t('invoice.numberIs', { number: invoice.number })}</span>}
      <Box component="span" sx={{ color: 'text.secondary' }}>
        {invoice.issuedAt === null
          ? t('invoice.askedOn', { date: format.date(invoice.createdAt, { timeZone, weekday: false }) })
          : t('invoice.issuedOn', { date: format.date(invoice.issuedAt, { timeZone, weekday: false }) })}
      </Box>
      {withCustomer && (
        <Box component="span" sx={{ color: 'text.secondary' }}>
          {invoice.customer.name}
        </Box>
      )}
    </Box>
  );
}

/** What is copied when issuing the invoice, and why it was reversed or rejected. */
function InvoiceNotes({ invoice }: { readonly invoice: Invoice }): ReactElement {
  const { t } = useTranslation('trades');
  const { taxNumber, address, phone, bank, account, email } = invoice;
  const buyer = [
    ...(taxNumber === null ? [] : [`${t('titles.taxNumber')} ${taxNumber}`]),
    ...(address === '' && phone === '' ? [] : [[address, phone].filter((one) => one !== '').join(' ')]),
    ...(bank === '' && account === '' ? [] : [[bank, account].filter((one) => one !== '').join(' ')]),
    ...(email === null ? [] : [email]),
  ];
  return (
    <>
      {buyer.length > 0 && (
        <Typography variant="caption" component="div" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
          {buyer.join(' · ')}
        </Typography>
      )}
      {invoice.redReason !== null && (
        <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
          {t('invoice.redIs', { number: invoice.redNumber, reason: t(`red.${invoice.redReason}`) })}
        </Typography>
      )}
      {invoice.reason !== '' && (
        <Typography variant="caption" component="div" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
          {t('invoice.reasonIs', { reason: invoice.reason })}
        </Typography>
      )}
    </>
  );
}

function OrderLinks({ invoice }: { readonly invoice: Invoice }): ReactElement {
  const [params] = useSearchParams();
  return (
    <Typography variant="caption" component="div" sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1.5, color: 'text.secondary' }}>
      {invoice.orders.map((one) => (
        <Link
          key={one.orderId}
          className="text-link"
          preventScrollReset
          to={`?${writeSearch(pageAddress, params, { order: one.orderId, edit: false }).toString()}`}
        >
          {one.number}
        </Link>
      ))}
    </Typography>
  );
}

type ButtonsProps = {
  readonly invoice: Invoice;
  /** The state of some invoice is being changed, perhaps of this one. */
  readonly moving: 'this' | 'other' | null;
  readonly onAct: (act: InvoiceAction) => void;
};

/** The file as a download, and for finance the possible actions. */
function InvoiceButtons({ invoice, moving, onAct }: ButtonsProps): ReactElement | null {
  const { t } = useTranslation('trades');
  const format = useFormat();
  const { write } = useTradeRights();
  const acts = write ? actsOf[invoice.state] : [];
  if (!invoice.file && acts.length === 0) return null;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: 0.75 }}>
      {invoice.file && (
        <Button variant="outlined" component="a" href={invoiceFile(invoice.id)} download={invoice.file.name} title={invoice.file.name}>
          {t('invoice.download', { size: fileSize(invoice.file.bytes, format.number) })}
        </Button>
      )}
      {acts.map((act) => (
        <Button key={act} variant={act === 'issue' ? 'outlined' : 'text'} disabled={moving !== null} aria-busy={moving === 'this'} onClick={() => onAct(act)}>
          {t(`invoice.act.${act}`)}
        </Button>
      ))}
    </Box>
  );
}

/** One invoice; with its customer and links to its orders unless it is shown within one. */
export function InvoiceItem({ inOrder, ...props }: ButtonsProps & { readonly inOrder: boolean }): ReactElement {
  const money = useMoney();
  const { all } = useTradeRights();
  const { invoice } = props;
  return (
    <Box component="li" sx={{ py: 1.5, borderBottom: 1, borderColor: 'divider' }}>
      <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 2 }}>
        <Typography variant="body2" sx={{ fontWeight: 500, overflowWrap: 'anywhere', minWidth: 0 }}>
          {invoice.title}
        </Typography>
        <Box component="span" sx={{ fontWeight: 500, whiteSpace: 'nowrap' }}>
          {money(invoice.amount, invoice.currency)}
        </Box>
      </Box>
      <InvoiceFacts invoice={invoice} withCustomer={all && !inOrder} />
      <InvoiceNotes invoice={invoice} />
      {!inOrder && <OrderLinks invoice={invoice} />}
      <InvoiceButtons {...props} />
    </Box>
  );
}
