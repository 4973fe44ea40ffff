import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { may } from '../../../contract/permissions';
import { tradeEndpoints as endpoints } from '../../../contract/trades/schemas';
import type { Invoice, Order, OrderWhole } from '../../../contract/trades/ledger';
import type { Context } from '../../context';
import type { SessionInfo } from '../../http/access';
import { fail } from '../../http/failure';
import { asDownload } from '../../http/download';
import { route } from '../../http/route';
import type { ResponseOf, CallOf } from '../../http/route';
import { dayAt } from '../../zone';
import { actorOf } from '../audit';
import { ordersCsv, statementCsv } from './csv';
import { sendStored, withoutFolders } from './files';
import * as invoiceQueries from './invoiceQueries';
import { addInvoice, addTitle, changeTitle, moveInvoice, removeTitle, restoreTitle } from './invoices';
import { addOrder, changeOrder, expireOrders, moveOrder, removeOrder, restoreOrder } from './orders';
import { addPayment, addRefund, movePayment, moveRefund } from './payments';
import { statementPdf } from './pdf';
import * as queries from './queries';
import type { OrderFilters, OrderAccess } from './queries';
import { notifyRenewals, renew, renewals } from './renewals';
import { invoiceResponses, orderResponses, invoiceTitleResponse, orderDetailsResponse } from './responses';
import type { Reader } from './responses';
import { makeStatement } from './statement';
import type { Area } from '../area';
import { erasePerson, exportPerson } from './personalData';

/** Members have their own orders, without drafts; an API token that was made for some sites, what is for these sites. */
const accessOf = (session: SessionInfo): OrderAccess => ({
  customerId: may(session.role, 'trades.readAll') ? null : session.userId,
  siteIds: session.token?.siteIds ?? null,
});
const readerOf = (session: SessionInfo): Reader => ({ writes: may(session.role, 'trades.write'), readsAll: may(session.role, 'trades.readAll') });
const doerOf = (call: { readonly session: SessionInfo; readonly request: FastifyRequest }) => ({
  actor: actorOf(call),
  id: call.session.userId,
  name: call.session.displayName,
});
/** Those who keep the ledger act for everybody, everybody else for themselves. */
const actsFor =
  (session: SessionInfo) =>
  (customerId: string): boolean =>
    may(session.role, 'trades.write') || customerId === session.userId;

/** Orders that are read at a time for a file. */
const batch = 500;

async function whole(ctx: Context, session: SessionInfo, id: string): Promise<OrderWhole> {
  const { db } = ctx.postgres;
  const row = await queries.findOrderRow(db, id, accessOf(session));
  return row ? orderDetailsResponse(db, row, readerOf(session)) : fail('not_found');
}

async function wholeInvoice(ctx: Context, session: SessionInfo, id: string): Promise<Invoice> {
  const { db } = ctx.postgres;
  const row = await invoiceQueries.findInvoiceRow(db, id, accessOf(session));
  const [invoice] = row ? await invoiceResponses(db, [row]) : [];
  return invoice ?? fail('not_found');
}

/** The order after a change that stated a revision. */
async function changed(ctx: Context, session: SessionInfo, id: string, fresh: boolean): Promise<OrderWhole> {
  const current = await whole(ctx, session, id);
  return fresh ? current : fail('stale_revision', { current });
}

async function allOrders(ctx: Context, filters: OrderFilters, session: SessionInfo): Promise<Order[]> {
  const { db } = ctx.postgres;
  const all: Order[] = [];
  for (;;) {
    const rows = await queries.findOrders(db, filters, accessOf(session), session.timeZone, batch, all.length);
    all.push(...(await orderResponses(db, rows, readerOf(session))));
    if (rows.length < batch) return all;
  }
}

async function listOrders(
  ctx: Context,
  { session, query: { page, size, ...filters } }: CallOf<typeof endpoints.orders>,
): Promise<ResponseOf<typeof endpoints.orders>> {
  const { db } = ctx.postgres;
  const { found, sums } = await queries.sumOrders(db, filters, accessOf(session), session.timeZone);
  const rows = await queries.findOrders(db, filters, accessOf(session), session.timeZone, size, (page - 1) * size);
  return { rows: await orderResponses(db, rows, readerOf(session)), total: found, sums };
}

async function exportOrders(
  ctx: Context,
  { session, query: { format, ...filters }, locale, reply }: CallOf<typeof endpoints.exportOrders>,
): Promise<FastifyReply> {
  const orders = await allOrders(ctx, filters, session);
  const name = `orders-${dayAt(ctx.now(), session.timeZone)}.${format}`;
  return format === 'json'
    ? asDownload(reply, name, 'application/json; charset=utf-8').send(JSON.stringify(orders, null, 2))
    : asDownload(reply, name, 'text/csv; charset=utf-8').send(ordersCsv(orders, locale, session.timeZone));
}

async function changeOrderOf(ctx: Context, call: CallOf<typeof endpoints.changeOrder>): Promise<OrderWhole> {
  const { session, params, body, ifMatch } = call;
  return changed(ctx, session, params.id, await changeOrder(ctx, params.id, ifMatch(), body, accessOf(session), doerOf(call)));
}

async function moveOrderTo(ctx: Context, call: CallOf<typeof endpoints.moveOrder>): Promise<OrderWhole> {
  const { session, params, body, ifMatch } = call;
  return changed(ctx, session, params.id, await moveOrder(ctx, params.id, ifMatch(), body.to, accessOf(session), doerOf(call)));
}

async function addPaymentTo(ctx: Context, call: CallOf<typeof endpoints.addPayment>): Promise<OrderWhole> {
  const { session, params, body } = call;
  await addPayment(ctx, params.id, body, accessOf(session), doerOf(call), actsFor(session));
  return whole(ctx, session, params.id);
}

async function sendReceipt(ctx: Context, { session, params, reply }: CallOf<typeof endpoints.receipt>): Promise<FastifyReply> {
  const { db } = ctx.postgres;
  const payment = await queries.findPayment(db, params.id);
  const order = payment && (await queries.findOrderRow(db, payment.orderId, accessOf(session)));
  const file = payment?.fileId && order ? await queries.findFile(db, payment.fileId) : null;
  return file ? sendStored(reply, file) : fail('not_found');
}

async function restoreOrderOf(ctx: Context, call: CallOf<typeof endpoints.restoreOrder>): Promise<OrderWhole> {
  const { session, params } = call;
  await restoreOrder(ctx, params.id, accessOf(session), doerOf(call));
  return whole(ctx, session, params.id);
}

async function moveInvoiceTo(ctx: Context, call: CallOf<typeof endpoints.moveInvoice>): Promise<Invoice> {
  const { session, params, body, ifMatch } = call;
  const fresh = await moveInvoice(ctx, params.id, ifMatch(), body, doerOf(call));
  const current = await wholeInvoice(ctx, session, params.id);
  return fresh ? current : fail('stale_revision', { current });
}

async function sendInvoice(ctx: Context, { session, params, reply }: CallOf<typeof endpoints.invoiceFile>): Promise<FastifyReply> {
  const { db } = ctx.postgres;
  const row = await invoiceQueries.findInvoiceRow(db, params.id, accessOf(session));
  const file = row?.invoice.fileId ? await queries.findFile(db, row.invoice.fileId) : null;
  return file ? sendStored(reply, file) : fail('not_found');
}

type StatementQuery = { readonly customerId?: string | undefined; readonly currency: Order['currency']; readonly from: string; readonly to: string };
function statementFor(ctx: Context, session: SessionInfo, { customerId = session.userId, currency, from, to }: StatementQuery) {
  const { customerId: only, siteIds } = accessOf(session);
  if (only !== null && only !== customerId.toLowerCase()) fail('not_found');
  // It is about everything between two parties: a token for some sites cannot have it.
  if (siteIds !== null) fail('forbidden');
  return makeStatement(ctx.postgres.db, customerId, currency, from, to);
}

async function sendStatement(ctx: Context, { session, query, locale, reply }: CallOf<typeof endpoints.statementFile>): Promise<FastifyReply> {
  const statement = await statementFor(ctx, session, query);
  const issuer = `Sitewright (${new URL(ctx.config.publicUrl).host})`;
  const name = withoutFolders(`statement-${statement.customer.name}-${query.from}_${query.to}-${query.currency}.${query.format}`);
  if (query.format === 'csv') return asDownload(reply, name, 'text/csv; charset=utf-8').send(statementCsv(statement, locale, issuer));
  return asDownload(reply, name, 'application/pdf').send(await statementPdf(statement, locale, issuer, ctx.now()));
}

async function listCustomers(ctx: Context, { session }: CallOf<typeof endpoints.customers>): Promise<ResponseOf<typeof endpoints.customers>> {
  const { db } = ctx.postgres;
  const only = session.token?.siteIds;
  const sites = await queries.possibleSites(db);
  return { people: await queries.possibleCustomers(db), sites: only ? sites.filter(({ id }) => only.includes(id)) : sites };
}

function register(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;
  route(app, ctx, endpoints.orders, (call) => listOrders(ctx, call));
  route(app, ctx, endpoints.exportOrders, (call) => exportOrders(ctx, call));
  route(app, ctx, endpoints.order, ({ session, params }) => whole(ctx, session, params.id));
  route(app, ctx, endpoints.addOrder, async (call) => whole(ctx, call.session, await addOrder(ctx, call.body, accessOf(call.session), doerOf(call))));
  route(app, ctx, endpoints.changeOrder, (call) => changeOrderOf(ctx, call));
  route(app, ctx, endpoints.removeOrder, (call) => removeOrder(ctx, call.params.id, accessOf(call.session), doerOf(call)));
  route(app, ctx, endpoints.restoreOrder, (call) => restoreOrderOf(ctx, call));
  route(app, ctx, endpoints.moveOrder, (call) => moveOrderTo(ctx, call));
  route(app, ctx, endpoints.renew, async (call) => whole(ctx, call.session, await renew(ctx, call.params.id, accessOf(call.session), doerOf(call))));
  route(app, ctx, endpoints.addPayment, (call) => addPaymentTo(ctx, call));
  route(app, ctx, endpoints.movePayment, async (call) =>
    whole(ctx, call.session, await movePayment(ctx, call.params.id, call.body.to, accessOf(call.session), doerOf(call))),
  );
  route(app, ctx, endpoints.receipt, (call) => sendReceipt(ctx, call));
  route(app, ctx, endpoints.addRefund, async (call) =>
    whole(ctx, call.session, await addRefund(ctx, call.params.id, call.body, accessOf(call.session), doerOf(call))),
  );
  route(app, ctx, endpoints.moveRefund, async (call) =>
    whole(ctx, call.session, await moveRefund(ctx, call.params.id, call.body.to, accessOf(call.session), doerOf(call))),
  );
  route(app, ctx, endpoints.invoices, async ({ session, query: { page, size, ...filters } }) => ({
    rows: await invoiceResponses(db, await invoiceQueries.findInvoices(db, filters, accessOf(session), size, (page - 1) * size)),
    total: await invoiceQueries.countInvoices(db, filters, accessOf(session)),
  }));
  route(app, ctx, endpoints.addInvoice, async (call) =>
    wholeInvoice(ctx, call.session, await addInvoice(ctx, call.body, accessOf(call.session), doerOf(call), actsFor(call.session))),
  );
  route(app, ctx, endpoints.moveInvoice, (call) => moveInvoiceTo(ctx, call));
  route(app, ctx, endpoints.invoiceFile, (call) => sendInvoice(ctx, call));
  route(app, ctx, endpoints.titles, async ({ session }) => (await invoiceQueries.titlesOf(db, session.userId)).map(invoiceTitleResponse));
  route(app, ctx, endpoints.addTitle, async ({ session, body }) => invoiceTitleResponse(await addTitle(ctx, session.userId, body)));
  route(app, ctx, endpoints.changeTitle, async ({ session, params, body }) => invoiceTitleResponse(await changeTitle(ctx, session.userId, params.id, body)));
  route(app, ctx, endpoints.removeTitle, ({ session, params }) => removeTitle(ctx, session.userId, params.id));
  route(app, ctx, endpoints.restoreTitle, async ({ session, params }) => invoiceTitleResponse(await restoreTitle(ctx, session.userId, params.id)));
  route(app, ctx, endpoints.statement, ({ session, query }) => statementFor(ctx, session, query));
  route(app, ctx, endpoints.statementFile, (call) => sendStatement(ctx, call));
  route(app, ctx, endpoints.renewals, ({ session }) => renewals(db, accessOf(session), ctx.now()));
  route(app, ctx, endpoints.customers, (call) => listCustomers(ctx, call));
}

export const area: Area = {
  register,
  erasePerson,
  exportPerson,
  schedules: [
    { name: 'trades.expiry', every: 3_600_000, run: expireOrders },
    { name: 'trades.renewals', every: 3_600_000, run: notifyRenewals },
  ],
};
