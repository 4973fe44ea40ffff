import { Box, Button, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router-dom';
import type { Invoice } from '@contract/trades/ledger';
import { useFormat } from '@/lib/format';
import { writeSearch } from '@/lib/searchState';
import { useConfirm } from '@/ui/confirmContext';
import { fileSize } from '@/ui/form/FileField';
import { pageAddress } from '../address';
import { invoiceTones } from '../standing';
import { StateMark } from '../StateMark';
import { invoiceFile, useMoveInvoiceMutation } from '../tradesApi';
import { useMoney, useReaderDay, useTell, useTradeRights } from '../useTrades';
import { IssueDialog } from './IssueDialog';
import { RedDialog } from './RedDialog';
import { RejectDialog } from './RejectDialog';

type Act = 'start' | 'issue' | 'reject' | 'red';
const actsOf: Readonly<Record<Invoice['state'], readonly Act[]>> = {
  requested: ['issue', 'start', 'reject'],
  issuing: ['issue', 'reject'],
  issued: ['red'],
  rejected: [],
  red: [],
};

/** Invoices with all the data to copy when issuing them; `within`: the order they are shown with, which needs no link. */
export function InvoiceList({ invoices, within }: { readonly invoices: readonly Invoice[]; readonly within?: string }): ReactElement {
  const { t } = useTranslation('trades');
  const money = useMoney();
  const format = useFormat();
  const confirm = useConfirm();
  const tell = useTell();
  const [params] = useSearchParams();
  const { timeZone } = useReaderDay();
  const { write, all } = useTradeRights();
  const [move, { isLoading, originalArgs }] = useMoveInvoiceMutation();
  const [dialog, setDialog] = useState<{ readonly act: Exclude<Act, 'start'>; readonly id: string } | null>(null);
  // The current row: another person may have changed it while the dialog was open.
  const open = dialog && invoices.find((one) => one.id === dialog.id);

  const begin = async (invoice: Invoice) => {
    if (!(await confirm({ title: t('invoice.startTitle'), body: t('invoice.startText'), confirm: t('invoice.act.start') }))) return;
    const { data, error } = await move({ id: invoice.id, revision: invoice.revision, body: { to: 'issuing' } });
    if (data) tell.good('invoice.did.issuing', { title: data.title });
    else tell.bad(error);
  };
  return (
    <>
      <Box component="ul" aria-label={t('invoice.title')} sx={{ m: 0, p: 0, listStyle: 'none', borderTop: 1, borderColor: 'divider' }}>
        {invoices.map((invoice) => {
          const buyer = [
            ...(invoice.taxNumber === null ? [] : [`${t('titles.taxNumber')} ${invoice.taxNumber}`]),
            ...(invoice.address === '' && invoice.phone === '' ? [] : [[invoice.address, invoice.phone].filter((one) => one !== '').join(' ')]),
            ...(invoice.bank === '' && invoice.account === '' ? [] : [[invoice.bank, invoice.account].filter((one) => one !== '').join(' ')]),
            ...(invoice.email === null ? [] : [invoice.email]),
          ];
          return (
            <Box component="li" key={invoice.id} sx={{ py: 1.5, borderBottom: 1, borderColor: 'divider' }}>
              <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 2 }}>
                <Typography variant="body2" sx={{ fontWeight: 500, overflowWrap: 'anywhere', minWidth: 0 }}>
                  {invoice.title}
                </Typography>
                <Box component="span" sx={{ fontWeight: 500, whiteSpace: 'nowrap' }}>
                  {money(invoice.amount, invoice.currency)}
                </Box>
              </Box>
              <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2, fontSize: 13 }}>
                <StateMark tone={invoiceTones[invoice.state]}>{t(`invoiceState.${invoice.state}`)}</StateMark>
                <span>{t(`invoiceType.${invoice.type}`)}</span>
                {invoice.number !== '' && <span>{t('invoice.numberIs', { number: invoice.number })}</span>}
                <Box component="span" sx={{ color: 'text.secondary' }}>
                  {invoice.issuedAt === null
                    ? t('invoice.askedOn', { date: format.date(invoice.createdAt, { timeZone, weekday: false }) })
                    : t('invoice.issuedOn', { date: format.date(invoice.issuedAt, { timeZone, weekday: false }) })}
                </Box>
                {all && within === undefined && (
                  <Box component="span" sx={{ color: 'text.secondary' }}>
                    {invoice.customer.name}
                  </Box>
                )}
              </Box>
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
              {within === undefined && (
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
              )}
              {(invoice.file || (write && actsOf[invoice.state].length > 0)) && (
                <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: 0.75 }}>
                  {invoice.file && (
                    <Button variant="outlined" component="a" href={invoiceFile(invoice.id)} download={invoice.file.name} title={invoice.file.name}>
                      {t('invoice.download', { size: fileSize(invoice.file.bytes, format.number) })}
                    </Button>
                  )}
                  {write &&
                    actsOf[invoice.state].map((act) => (
                      <Button
                        key={act}
                        variant={act === 'issue' ? 'outlined' : 'text'}
                        disabled={isLoading}
                        aria-busy={isLoading && originalArgs?.id === invoice.id}
                        onClick={() => (act === 'start' ? void begin(invoice) : setDialog({ act, id: invoice.id }))}
                      >
                        {t(`invoice.act.${act}`)}
                      </Button>
                    ))}
                </Box>
              )}
            </Box>
          );
        })}
      </Box>
      {open && dialog.act === 'issue' && <IssueDialog invoice={open} onClose={() => setDialog(null)} />}
      {open && dialog.act === 'reject' && <RejectDialog invoice={open} onClose={() => setDialog(null)} />}
      {open && dialog.act === 'red' && <RedDialog invoice={open} onClose={() => setDialog(null)} />}
    </>
  );
}
