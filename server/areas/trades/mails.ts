import type { Context } from '../../context';
import type { Locale } from '../../http/access';
import { queueMail } from '../../mail';
import { localeOf } from './invoiceQueries';
import type { InvoiceRecord } from './invoiceQueries';
import type { Db } from './queries';
import { grouped } from './exportTexts';

const messages = {
  'zh-CN': {
    subject: (number: string) => `发票 ${number} 已开具`,
    text: (file: boolean) => (file ? '你申请的发票已经开具，登录控制台即可下载发票文件。' : '你申请的发票已经开具，可以在控制台查看。'),
    number: '发票号码',
    title: '发票抬头',
    amount: '金额',
    action: '查看发票',
    footer: '收到此邮件，是因为申请发票时填写了这个接收邮箱。',
  },
  en: {
    subject: (number: string) => `Invoice ${number} has been issued`,
    text: (file: boolean) =>
      file
        ? 'The invoice you requested has been issued. Sign in to the console to download its file.'
        : 'The invoice you requested has been issued. It is in the console.',
    number: 'Invoice number',
    title: 'Billed to',
    amount: 'Amount',
    action: 'View invoice',
    footer: 'You get this because this address was entered when the invoice was requested.',
  },
} as const satisfies Record<Locale, unknown>;

type Issued = Pick<InvoiceRecord, 'customerId' | 'email' | 'title' | 'amount' | 'currency'> & { readonly number: string; readonly hasFile: boolean };

/** Mails the requested address that an invoice has been issued, in the transaction that issues it. Does nothing without an address. */
export async function tellIssued(ctx: Context, tx: Db, { customerId, email, title, number, amount, currency, hasFile }: Issued): Promise<void> {
  if (email === null) return;
  const locale = await localeOf(tx, customerId);
  const w = messages[locale];
  const letter = {
    to: email,
    locale,
    subject: w.subject(number),
    paragraphs: [w.text(hasFile)],
    facts: [
      { label: w.number, value: number },
      { label: w.title, value: title },
      { label: w.amount, value: `${currency} ${grouped(amount, currency)}` },
    ],
    action: { label: w.action, url: `${ctx.config.publicUrl}/account/trades/account_trades?tab=invoices` },
    footer: w.footer,
  };
  await queueMail(ctx, tx, letter, { kind: 'trade.invoice_issued' });
}
