import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Invoice } from '@contract/trades/ledger';
import { useConfirm } from '@/ui/confirmContext';
import { RowList } from '@/ui/list/RowList';
import { useMoveInvoiceMutation } from '../tradesApi';
import { useTradeNotices } from '../useTrades';
import { InvoiceItem } from './InvoiceItem';
import type { InvoiceAction } from './InvoiceItem';
import { IssueDialog } from './IssueDialog';
import { RedDialog } from './RedDialog';
import { RejectDialog } from './RejectDialog';

/** Invoices with all the data to copy when issuing them; `within`: the order they are shown with, which needs no link. */
export function InvoiceList({ invoices, within }: { readonly invoices: readonly Invoice[]; readonly within?: string }): ReactElement {
  const { t } = useTranslation('trades');
  const confirm = useConfirm();
  const notify = useTradeNotices();
  const [move, { isLoading, originalArgs }] = useMoveInvoiceMutation();
  const [dialog, setDialog] = useState<{ readonly act: Exclude<InvoiceAction, 'start'>; readonly id: string } | null>(null);
  // The current row: another person may have changed it while the dialog was open.
  const open = dialog && invoices.find((one) => one.id === dialog.id);
  const closeDialog = () => setDialog(null);

  const start = async (invoice: Invoice) => {
    if (!(await confirm({ title: t('invoice.startTitle'), body: t('invoice.startText'), confirm: t('invoice.act.start') }))) return;
    const { data, error } = await move({ id: invoice.id, revision: invoice.revision, body: { to: 'issuing' } });
    if (data) notify.good('invoice.did.issuing', { title: data.title });
    else notify.bad(error);
  };
  return (
    <>
      <RowList label={t('invoice.title')}>
        {invoices.map((invoice) => (
          <InvoiceItem
            key={invoice.id}
            invoice={invoice}
            inOrder={within !== undefined}
            moving={!isLoading ? null : originalArgs?.id === invoice.id ? 'this' : 'other'}
            onAct={(act) => (act === 'start' ? void start(invoice) : setDialog({ act, id: invoice.id }))}
          />
        ))}
      </RowList>
      {open && dialog.act === 'issue' && <IssueDialog invoice={open} onClose={closeDialog} />}
      {open && dialog.act === 'reject' && <RejectDialog invoice={open} onClose={closeDialog} />}
      {open && dialog.act === 'red' && <RedDialog invoice={open} onClose={closeDialog} />}
    </>
  );
}
