import { pathOf } from '@contract/call';
import { tradeCalls } from '@contract/trades/calls';
import type { OrderWhole } from '@contract/trades/ledger';
import type { tradeEndpoints } from '@contract/trades/schemas';
import { api } from '@/store/api';
import { addressOf, mutation, query, typed } from '@/store/endpoints';
import type { ArgumentsOf, ResultOf } from '@/store/endpoints';

type Trades = typeof tradeEndpoints;
const calls = typed<Trades>(tradeCalls);

export type OrderList = ResultOf<Trades['orders']>;
export type OrderFilters = Omit<ArgumentsOf<Trades['orders']>, 'page' | 'size'>;
export type Renewal = ResultOf<Trades['renewals']>[number];
export type InvoiceMove = ArgumentsOf<Trades['moveInvoice']>['body'];
export type StatementOf = ArgumentsOf<Trades['statement']>;

const lists = [{ type: 'Order', id: 'LIST' }, 'Statement', 'Renewal'] as const;
const invoices = [{ type: 'Invoice', id: 'LIST' }] as const;
const titles = [{ type: 'InvoiceTitle', id: 'LIST' }] as const;

/** Stores the returned order; lists and sums are refetched. */
const keep = {
  invalidatesTags: (order: OrderWhole | undefined) => (order ? lists : []),
  async onQueryStarted(
    _arg: unknown,
    { dispatch, queryFulfilled }: { dispatch: (action: unknown) => unknown; queryFulfilled: Promise<{ data: OrderWhole }> },
  ): Promise<void> {
    try {
      const { data } = await queryFulfilled;
      dispatch(tradesApi.util.upsertQueryData('order', { id: data.id }, data));
    } catch {
      // The caller shows the failure.
    }
  },
};

/** The ledger. Every action on an order returns the whole order, which replaces the displayed one. */
export const tradesApi = api.injectEndpoints({
  endpoints: (b) => ({
    orders: query(b, calls.orders, { providesTags: [{ type: 'Order', id: 'LIST' }] }),
    order: query(b, calls.order, { providesTags: (_order, _error, { id }) => [{ type: 'Order', id }] }),
    addOrder: mutation(b, calls.addOrder, keep),
    changeOrder: mutation(b, calls.changeOrder, keep),
    removeOrder: mutation(b, calls.removeOrder, { invalidatesTags: (_null, error) => (error ? [] : lists) }),
    restoreOrder: mutation(b, calls.restoreOrder, keep),
    moveOrder: mutation(b, calls.moveOrder, keep),
    addPayment: mutation(b, calls.addPayment, keep),
    movePayment: mutation(b, calls.movePayment, keep),
    addRefund: mutation(b, calls.addRefund, keep),
    moveRefund: mutation(b, calls.moveRefund, keep),
    renew: mutation(b, calls.renew, keep),
    renewals: query(b, calls.renewals, { providesTags: ['Renewal'] }),
    customers: query(b, calls.customers),
    invoices: query(b, calls.invoices, { providesTags: invoices }),
    addInvoice: mutation(b, calls.addInvoice, {
      invalidatesTags: (invoice, _error, { body }) => (invoice ? ['Order', ...invoices, ...(body.saveTitle ? titles : [])] : []),
    }),
    // Also on failure: somebody else changed its state, and the row should show that.
    moveInvoice: mutation(b, calls.moveInvoice, { invalidatesTags: ['Order', ...invoices] }),
    titles: query(b, calls.titles, { providesTags: titles }),
    addTitle: mutation(b, calls.addTitle, { invalidatesTags: (title) => (title ? titles : []) }),
    changeTitle: mutation(b, calls.changeTitle, { invalidatesTags: (title) => (title ? titles : []) }),
    removeTitle: mutation(b, calls.removeTitle, { invalidatesTags: titles }),
    restoreTitle: mutation(b, calls.restoreTitle, { invalidatesTags: titles }),
    statement: query(b, calls.statement, { providesTags: ['Statement'] }),
  }),
});

/** Addresses of downloads. */
export const orderFile = (filters: OrderFilters, format: 'csv' | 'json'): string => addressOf(calls.exportOrders, { ...filters, format });
export const statementFile = (of: StatementOf, format: 'csv' | 'pdf'): string => addressOf(calls.statementFile, { ...of, format });
export const receiptFile = (id: string): string => pathOf(calls.receipt, { id });
export const invoiceFile = (id: string): string => pathOf(calls.invoiceFile, { id });

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
