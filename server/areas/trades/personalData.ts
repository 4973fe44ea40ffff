import { and, asc, eq, ne } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Area } from '../area';
import { tradeInvoices, tradeOrders, tradeTitles } from './schema';

type Db = Pick<NodePgDatabase, 'select'>;

/** Numbers and sums in minor units; the ledger itself has the details. Drafts are the operator's own notes and are excluded. */
const ownOrders = (db: Db, userId: string) =>
  db
    .select({
      number: tradeOrders.number,
      title: tradeOrders.title,
      currency: tradeOrders.currency,
      total: tradeOrders.total,
      state: tradeOrders.state,
      createdAt: tradeOrders.createdAt,
    })
    .from(tradeOrders)
    .where(and(eq(tradeOrders.customerId, userId), ne(tradeOrders.state, 'draft')))
    .orderBy(asc(tradeOrders.createdAt));

const ownInvoices = (db: Db, userId: string) =>
  db
    .select({
      number: tradeInvoices.number,
      title: tradeInvoices.title,
      taxNumber: tradeInvoices.taxNumber,
      currency: tradeInvoices.currency,
      amount: tradeInvoices.amount,
      state: tradeInvoices.state,
      issuedAt: tradeInvoices.issuedAt,
    })
    .from(tradeInvoices)
    .where(eq(tradeInvoices.customerId, userId));

const ownTitles = (db: Db, userId: string) =>
  db
    .select({
      titleType: tradeTitles.titleType,
      title: tradeTitles.title,
      taxNumber: tradeTitles.taxNumber,
      address: tradeTitles.address,
      phone: tradeTitles.phone,
      bank: tradeTitles.bank,
      account: tradeTitles.account,
      email: tradeTitles.email,
    })
    .from(tradeTitles)
    .where(eq(tradeTitles.userId, userId))
    .orderBy(asc(tradeTitles.createdAt));

export const exportPerson: NonNullable<Area['exportPerson']> = async (db, userId) => ({
  orders: await ownOrders(db, userId),
  invoices: await ownInvoices(db, userId),
  invoiceTitles: await ownTitles(db, userId),
});

/** The ledger is retained: orders and invoices must be stored, and refer to the deleted person by number. */
export const erasePerson: NonNullable<Area['erasePerson']> = async (tx, userId) => {
  await tx.delete(tradeTitles).where(eq(tradeTitles.userId, userId));
};
