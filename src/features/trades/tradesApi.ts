import type { z } from 'zod';
import type {
  Currency,
  Invoice,
  InvoiceInput,
  InvoiceTitle,
  InvoiceTitleInput,
  OrderInput,
  OrderWhole,
  PaymentInput,
  PaymentState,
  RefundState,
  Statement,
} from '@contract/trades/ledger';
import type { tradeEndpoints } from '@contract/trades/schemas';
import { queryString } from '@/lib/queryString';
import { api } from '@/store/api';

type Rows = typeof tradeEndpoints;
type Answer<K extends keyof Rows> = z.output<NonNullable<Rows[K]['answer']>>;
type Query<K extends keyof Rows> = z.input<NonNullable<Rows[K]['query']>>;
type Revised = { readonly id: string; readonly revision: number };

export type OrderList = Answer<'orders'>;
export type OrderFilters = Omit<Query<'orders'>, 'page' | 'size'>;
export type InvoiceList = Answer<'invoices'>;
export type InvoiceFilters = Omit<Query<'invoices'>, 'page' | 'size'>;
export type Renewal = Answer<'renewals'>[number];
export type Customers = Answer<'customers'>;
export type InvoiceMove = z.input<NonNullable<Rows['moveInvoice']['body']>>;
export type StatementOf = { readonly customerId?: string | undefined; readonly currency: Currency; readonly from: string; readonly to: string };

const root = '/api/acc/trades';
const lists = [{ type: 'Order', id: 'LIST' }, 'Statement', 'Renewal'] as const;

/** The ledger. Every act on an order answers the whole order, which takes the place of the one that is shown. */
export const tradesApi = api.injectEndpoints({
  endpoints: (b) => {
    /** Keeps the answered order; lists and sums are asked for again. */
    const keep = {
      invalidatesTags: (order: OrderWhole | undefined) => (order ? lists : []),
      async onQueryStarted(
        _arg: unknown,
        { dispatch, queryFulfilled }: { dispatch: (action: unknown) => unknown; queryFulfilled: Promise<{ data: OrderWhole }> },
      ): Promise<void> {
        try {
          const { data } = await queryFulfilled;
          dispatch(tradesApi.util.upsertQueryData('order', data.id, data));
        } catch {
          // The caller shows what went wrong.
        }
      },
    };
    const titles = [{ type: 'InvoiceTitle', id: 'LIST' }] as const;
    return {
      orders: b.query<OrderList, OrderFilters & { page: number; size: number }>({
        query: (params) => ({ url: `${root}/orders`, params }),
        providesTags: [{ type: 'Order', id: 'LIST' }],
      }),
      order: b.query<OrderWhole, string>({ query: (id) => `${root}/orders/${id}`, providesTags: (_order, _error, id) => [{ type: 'Order', id }] }),
      addOrder: b.mutation<OrderWhole, OrderInput>({ query: (body) => ({ url: `${root}/orders`, method: 'POST', body }), ...keep }),
      changeOrder: b.mutation<OrderWhole, Revised & { order: OrderInput }>({
        query: ({ id, revision, order }) => ({ url: `${root}/orders/${id}`, method: 'PUT', body: order, ifMatch: revision }),
        ...keep,
      }),
      removeOrder: b.mutation<null, string>({
        query: (id) => ({ url: `${root}/orders/${id}`, method: 'DELETE' }),
        invalidatesTags: (_null, error) => (error ? [] : lists),
      }),
      moveOrder: b.mutation<OrderWhole, Revised & { to: 'pending' | 'cancelled' | 'fulfilled' }>({
        query: ({ id, revision, to }) => ({ url: `${root}/orders/${id}/state`, method: 'POST', body: { to }, ifMatch: revision }),
        ...keep,
      }),
      addPayment: b.mutation<OrderWhole, { orderId: string; payment: PaymentInput }>({
        query: ({ orderId, payment }) => ({ url: `${root}/orders/${orderId}/payments`, method: 'POST', body: payment }),
        ...keep,
      }),
      movePayment: b.mutation<OrderWhole, { id: string; to: PaymentState }>({
        query: ({ id, to }) => ({ url: `${root}/payments/${id}/state`, method: 'POST', body: { to } }),
        ...keep,
      }),
      addRefund: b.mutation<OrderWhole, { paymentId: string; amount: number; reason: string }>({
        query: ({ paymentId, ...body }) => ({ url: `${root}/payments/${paymentId}/refunds`, method: 'POST', body }),
        ...keep,
      }),
      moveRefund: b.mutation<OrderWhole, { id: string; to: RefundState }>({
        query: ({ id, to }) => ({ url: `${root}/refunds/${id}/state`, method: 'POST', body: { to } }),
        ...keep,
      }),
      renew: b.mutation<OrderWhole, string>({ query: (id) => ({ url: `${root}/orders/${id}/renew`, method: 'POST' }), ...keep }),
      renewals: b.query<Renewal[], void>({ query: () => `${root}/renewals`, providesTags: ['Renewal'] }),
      customers: b.query<Customers, void>({ query: () => `${root}/customers` }),
      invoices: b.query<InvoiceList, InvoiceFilters & { page: number; size: number }>({
        query: (params) => ({ url: `${root}/invoices`, params }),
        providesTags: [{ type: 'Invoice', id: 'LIST' }],
      }),
      addInvoice: b.mutation<Invoice, InvoiceInput>({
        query: (body) => ({ url: `${root}/invoices`, method: 'POST', body }),
        invalidatesTags: (invoice, _error, { saveTitle = false }) => (invoice ? ['Order', { type: 'Invoice', id: 'LIST' }, ...(saveTitle ? titles : [])] : []),
      }),
      moveInvoice: b.mutation<Invoice, Revised & { move: InvoiceMove }>({
        query: ({ id, revision, move }) => ({ url: `${root}/invoices/${id}/state`, method: 'POST', body: move, ifMatch: revision }),
        // Refused too: somebody else has moved it, and the row should say so.
        invalidatesTags: ['Order', { type: 'Invoice', id: 'LIST' }],
      }),
      titles: b.query<InvoiceTitle[], void>({ query: () => `${root}/titles`, providesTags: titles }),
      addTitle: b.mutation<InvoiceTitle, InvoiceTitleInput>({
        query: (body) => ({ url: `${root}/titles`, method: 'POST', body }),
        invalidatesTags: (title) => (title ? titles : []),
      }),
      changeTitle: b.mutation<InvoiceTitle, { id: string; title: InvoiceTitleInput }>({
        query: ({ id, title }) => ({ url: `${root}/titles/${id}`, method: 'PUT', body: title }),
        invalidatesTags: (title) => (title ? titles : []),
      }),
      removeTitle: b.mutation<null, string>({
        query: (id) => ({ url: `${root}/titles/${id}`, method: 'DELETE' }),
        invalidatesTags: titles,
      }),
      statement: b.query<Statement, StatementOf>({ query: (params) => ({ url: `${root}/statement`, params }), providesTags: ['Statement'] }),
    };
  },
});

/** Addresses of downloads. */
export const orderFile = (filters: OrderFilters, format: 'csv' | 'json'): string => `${root}/orders/export?${queryString({ ...filters, format })}`;
export const statementFile = (of: StatementOf, format: 'csv' | 'pdf'): string => `${root}/statement/file?${queryString({ ...of, format })}`;
export const receiptFile = (paymentId: string): string => `${root}/payments/${paymentId}/receipt`;
export const invoiceFile = (invoiceId: string): string => `${root}/invoices/${invoiceId}/file`;

export const {
  useOrdersQuery,
  useOrderQuery,
  useAddOrderMutation,
  useChangeOrderMutation,
  useRemoveOrderMutation,
  useMoveOrderMutation,
  useAddPaymentMutation,
  useMovePaymentMutation,
  useAddRefundMutation,
  useMoveRefundMutation,
  useRenewMutation,
  useRenewalsQuery,
  useCustomersQuery,
  useInvoicesQuery,
  useAddInvoiceMutation,
  useMoveInvoiceMutation,
  useTitlesQuery,
  useAddTitleMutation,
  useChangeTitleMutation,
  useRemoveTitleMutation,
  useStatementQuery,
} = tradesApi;
