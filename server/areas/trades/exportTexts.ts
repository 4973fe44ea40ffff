import type { Currency, OrderState, orderKinds } from '../../../contract/trades/ledger';
import { minorDigits } from '../../../contract/trades/ledger';
import type { Locale } from '../../http/access';
import type { StatementKind } from './statementQueries';

/** Labels and texts of exported files. */
export const exportTexts = {
  'zh-CN': {
    statement: '对账单',
    issuer: '出具方',
    customer: '客户',
    period: '期间',
    currency: '币种',
    createdAt: '生成时间',
    opening: '期初余额',
    charges: '本期应收',
    payments: '本期收款',
    refunds: '本期退款',
    closing: '期末余额',
    date: '日期',
    kind: '类型',
    number: '订单号',
    title: '内容',
    amount: '金额',
    balance: '余额',
    total: '合计',
    nothing: '本期没有往来。',
    explain: '正数为应付，负数为余额。',
    honest: '本系统不直接收款；付款状态由财务人员登记。',
    page: (n: number, of: number) => `第 ${n} 页，共 ${of} 页`,
    kinds: { charge: '应收', cancellation: '冲减', payment: '收款', reversal: '付款撤销', refund: '退款' } satisfies Record<StatementKind, string>,
    orders: {
      number: '订单号',
      created: '创建日期',
      customer: '客户',
      site: '站点',
      kind: '类别',
      title: '内容',
      state: '状态',
      currency: '币种',
      subtotal: '小计',
      discount: '折扣',
      tax: '税额',
      total: '总额',
      paid: '已付',
      refunded: '已退',
      invoiced: '已开票',
      due: '付款期限',
      from: '服务开始',
      to: '服务结束',
      note: '备注',
    },
    orderKinds: { plan: '套餐', domain: '域名', certificate: '证书', filing: '备案', service: '服务', other: '其他' } satisfies Record<
      (typeof orderKinds)[number],
      string
    >,
    states: {
      draft: '草稿',
      pending: '待付款',
      paid: '已付款',
      fulfilled: '已完成',
      cancelled: '已取消',
      expired: '已过期',
      refunding: '退款中',
      refunded: '已退款',
      partly_refunded: '部分退款',
    } satisfies Record<OrderState, string>,
  },
  en: {
    statement: 'Statement of account',
    issuer: 'Issued by',
    customer: 'Customer',
    period: 'Period',
    currency: 'Currency',
    createdAt: 'Created',
    opening: 'Opening balance',
    charges: 'Charges',
    payments: 'Payments',
    refunds: 'Refunds',
    closing: 'Closing balance',
    date: 'Date',
    kind: 'Type',
    number: 'Order',
    title: 'Description',
    amount: 'Amount',
    balance: 'Balance',
    total: 'Total',
    nothing: 'Nothing happened in this period.',
    explain: 'Positive: owed. Negative: credit.',
    honest: 'This system takes no money itself; payments are recorded by finance.',
    page: (n: number, of: number) => `Page ${n} of ${of}`,
    kinds: { charge: 'Charge', cancellation: 'Cancellation', payment: 'Payment', reversal: 'Reversal', refund: 'Refund' } satisfies Record<
      StatementKind,
      string
    >,
    orders: {
      number: 'Order',
      created: 'Created',
      customer: 'Customer',
      site: 'Site',
      kind: 'Category',
      title: 'Description',
      state: 'State',
      currency: 'Currency',
      subtotal: 'Subtotal',
      discount: 'Discount',
      tax: 'Tax',
      total: 'Total',
      paid: 'Paid',
      refunded: 'Refunded',
      invoiced: 'Invoiced',
      due: 'Due',
      from: 'Service from',
      to: 'Service to',
      note: 'Note',
    },
    orderKinds: { plan: 'Plan', domain: 'Domain', certificate: 'Certificate', filing: 'Filing', service: 'Service', other: 'Other' } satisfies Record<
      (typeof orderKinds)[number],
      string
    >,
    states: {
      draft: 'Draft',
      pending: 'To be paid',
      paid: 'Paid',
      fulfilled: 'Fulfilled',
      cancelled: 'Cancelled',
      expired: 'Expired',
      refunding: 'Being refunded',
      refunded: 'Refunded',
      partly_refunded: 'Partly refunded',
    } satisfies Record<OrderState, string>,
  },
} as const satisfies Record<Locale, unknown>;

/** Minor units as an exact plain decimal number: `-1234` fen is `-12.34`. */
export function decimal(minor: number, currency: Currency): string {
  const digits = minorDigits(currency);
  const text = String(Math.abs(minor)).padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  return `${minor < 0 ? '-' : ''}${whole}${digits === 0 ? '' : `.${text.slice(-digits)}`}`;
}

/** The formatted number for people: `-1,234.50`. */
export const grouped = (minor: number, currency: Currency): string =>
  decimal(minor, currency).replace(/\d+/, (whole) => whole.replaceAll(/\B(?=(\d{3})+$)/g, ','));
