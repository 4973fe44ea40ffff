import { and, count, desc, eq, ilike, inArray, or, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { defineRemoval } from '../../kit/removals';
import { users } from '../account/schema';
import { one } from './queries';
import type { Db, OrderAccess } from './queries';
import { tradeFiles, tradeInvoiceOrders, tradeInvoices, tradeOrders, tradeTitles } from './schema';
import { containing } from '../../stores/postgres/like';

export type InvoiceRecord = typeof tradeInvoices.$inferSelect;
export type TitleRecord = typeof tradeTitles.$inferSelect;

/** The caller's own invoices; with a list of sites, those whose orders all belong to these sites. */
const visibleInvoice = ({ customerId, siteIds }: OrderAccess): SQL | undefined =>
  and(
    customerId === null ? undefined : eq(tradeInvoices.customerId, customerId),
    siteIds === null
      ? undefined
      : sql`not exists (select from trade_invoice_orders io join trade_orders o on o.id = io.order_id
          where io.invoice_id = ${tradeInvoices.id} and not coalesce(o.site_id = any(${sql.param([...siteIds])}::text[]), false))`,
  );
const invoiceRows = (db: Db, where: SQL | undefined) =>
  db
    .select({ invoice: tradeInvoices, customerName: users.displayName, fileName: tradeFiles.name, fileBytes: tradeFiles.bytes })
    .from(tradeInvoices)
    .innerJoin(users, eq(users.id, tradeInvoices.customerId))
    .leftJoin(tradeFiles, eq(tradeFiles.id, tradeInvoices.fileId))
    .where(where)
    .orderBy(desc(tradeInvoices.createdAt), desc(tradeInvoices.id));
export type InvoiceRow = Awaited<ReturnType<typeof invoiceRows>>[number];
export type InvoiceFilters = { readonly q?: string | undefined; readonly state?: InvoiceRecord['state'] | undefined; readonly customerId?: string | undefined };

function foundInvoices({ q, state, customerId }: InvoiceFilters, who: OrderAccess): SQL | undefined {
  const like = q?.trim() ? containing(q.trim()) : null;
  return and(
    visibleInvoice(who),
    state && eq(tradeInvoices.state, state),
    customerId === undefined ? undefined : eq(tradeInvoices.customerId, customerId),
    like === null
      ? undefined
      : or(
          ilike(tradeInvoices.number, like),
          ilike(tradeInvoices.redNumber, like),
          ilike(tradeInvoices.title, like),
          ilike(tradeInvoices.taxNumber, like),
          sql`exists (select from trade_invoice_orders io join trade_orders o on o.id = io.order_id where io.invoice_id = ${tradeInvoices.id} and o.number ilike ${like})`,
        ),
  );
}
export const findInvoices = (db: Db, filters: InvoiceFilters, who: OrderAccess, limit: number, offset: number): Promise<InvoiceRow[]> =>
  invoiceRows(db, foundInvoices(filters, who)).limit(limit).offset(offset);
export const countInvoices = async (db: Db, filters: InvoiceFilters, who: OrderAccess): Promise<number> =>
  one(await db.select({ n: count() }).from(tradeInvoices).where(foundInvoices(filters, who))).n;
export const invoicesOfOrder = (db: Db, orderId: string): Promise<InvoiceRow[]> =>
  invoiceRows(db, sql`exists (select from trade_invoice_orders io where io.invoice_id = ${tradeInvoices.id} and io.order_id = ${orderId})`);
export const findInvoiceRow = async (db: Db, id: string, who: OrderAccess): Promise<InvoiceRow | null> =>
  (await invoiceRows(db, and(eq(tradeInvoices.id, id), visibleInvoice(who))))[0] ?? null;
export const lockInvoice = async (db: Db, id: string): Promise<InvoiceRecord | null> =>
  (await db.select().from(tradeInvoices).where(eq(tradeInvoices.id, id)).for('update'))[0] ?? null;
/** A customer's language. */
export const localeOf = async (db: Db, userId: string) => one(await db.select({ locale: users.locale }).from(users).where(eq(users.id, userId))).locale;
export const coveredBy = (db: Db, invoiceIds: readonly string[]) =>
  db
    .select({ invoiceId: tradeInvoiceOrders.invoiceId, orderId: tradeOrders.id, number: tradeOrders.number, amount: tradeInvoiceOrders.amount })
    .from(tradeInvoiceOrders)
    .innerJoin(tradeOrders, eq(tradeOrders.id, tradeInvoiceOrders.orderId))
    .where(inArray(tradeInvoiceOrders.invoiceId, [...invoiceIds]))
    .orderBy(tradeOrders.number);
export async function insertInvoice(
  db: Db,
  row: typeof tradeInvoices.$inferInsert,
  covers: readonly { readonly orderId: string; readonly amount: number }[],
): Promise<InvoiceRecord> {
  const invoice = one(await db.insert(tradeInvoices).values(row).returning());
  await db.insert(tradeInvoiceOrders).values(covers.map((cover) => ({ ...cover, invoiceId: invoice.id })));
  return invoice;
}
export const updateInvoice = (db: Db, id: string, change: Partial<InvoiceRecord>) =>
  db
    .update(tradeInvoices)
    .set({ ...change, revision: sql`${tradeInvoices.revision} + 1` })
    .where(eq(tradeInvoices.id, id));

export const titlesOf = (db: Db, userId: string): Promise<TitleRecord[]> =>
  db.select().from(tradeTitles).where(eq(tradeTitles.userId, userId)).orderBy(desc(tradeTitles.createdAt), tradeTitles.id);
/** Null if the person has already saved this title. */
export const insertTitle = async (db: Db, row: typeof tradeTitles.$inferInsert): Promise<TitleRecord | null> =>
  (await db.insert(tradeTitles).values(row).onConflictDoNothing().returning())[0] ?? null;
export const updateTitle = async (db: Db, userId: string, id: string, change: Partial<TitleRecord>): Promise<TitleRecord | null> =>
  (
    await db
      .update(tradeTitles)
      .set(change)
      .where(and(eq(tradeTitles.id, id), eq(tradeTitles.userId, userId)))
      .returning()
  )[0] ?? null;
export const titleRemoval = defineRemoval('invoice_title', tradeTitles);
export const deleteTitle = async (db: Db, userId: string, id: string): Promise<boolean> =>
  (
    await db
      .delete(tradeTitles)
      .where(and(eq(tradeTitles.id, id), eq(tradeTitles.userId, userId)))
      .returning({ id: tradeTitles.id })
  ).length > 0;
