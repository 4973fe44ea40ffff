import type { Context } from '../../context';
import type { Locale } from '../../http/access';
import { fail } from '../../http/failure';
import { violatedConstraint } from '../../stores/postgres/conflict';
import { addDays } from '../../zone';
import { notifyContacts } from '../contacts';
import type { NoticeMessage } from '../contacts';
import { daysBetween, ledgerDay, nextPeriod } from './days';
import { draftOrder, held } from './orders';
import type { Doer } from './orders';
import { customerExists, itemsOf, renewalOf } from './queries';
import type { Db, OrderRecord, OrderAccess } from './queries';
import { isSettled } from './state';
import { endingOrders, takeNotice } from './statementQueries';
import { decimal } from './exportTexts';

const shownBefore = 30;
const shownAfter = 7;
/** Days before the end on which contacts are notified. */
const noticeDays = [1, 7, 30] as const;

/** Paid orders whose period ends soon or ended recently. */
export async function renewals(db: Db, who: OrderAccess, now: number) {
  const today = ledgerDay(now);
  const rows = await endingOrders(db, who, addDays(today, -shownAfter), addDays(today, shownBefore));
  return rows.flatMap(({ order, customerName, siteName, renewalId, renewalState }) =>
    order.periodTo === null
      ? []
      : [
          {
            orderId: order.id,
            number: order.number,
            title: order.title,
            customer: { id: order.customerId, name: customerName },
            site: order.siteId === null ? null : { id: order.siteId, name: siteName ?? '' },
            endsOn: order.periodTo,
            days: daysBetween(today, order.periodTo),
            // Customers do not see drafts.
            renewalOrderId: who.customerId !== null && renewalState === 'draft' ? null : renewalId,
          },
        ],
  );
}

/** Creates the draft that renews a paid order: same items, the next period of the same length, due by the end of the current one. Returns its id. */
export async function renew(ctx: Context, id: string, who: OrderAccess, doer: Doer & { readonly id: string }): Promise<string> {
  const work = ctx.postgres.db.transaction(async (tx) => {
    const order = await held(tx, id, who);
    if (!isSettled(order.state) || order.periodFrom === null || order.periodTo === null) return fail('bad_transition');
    if (!(await customerExists(tx, order.customerId))) fail('bad_transition');
    if ((await renewalOf(tx, id)) !== null) fail('conflict');
    return (await draftOrder(ctx, tx, await following(ctx, tx, order, { from: order.periodFrom, to: order.periodTo }), doer, id)).id;
  });
  return work.catch((error: unknown) => (violatedConstraint(error) === 'trade_orders_renews_key' ? fail('conflict') : Promise.reject(error)));
}

async function following(ctx: Context, tx: Db, order: OrderRecord, period: { readonly from: string; readonly to: string }) {
  const items = await itemsOf(tx, [order.id]);
  return {
    customerId: order.customerId,
    siteId: order.siteId,
    kind: order.kind,
    title: order.title,
    currency: order.currency,
    items: items.map(({ name, quantity, unitPrice, discount, taxRate }) => ({ name, quantity, unitPrice, discount, taxRate })),
    period: nextPeriod(period),
    renewalNote: order.renewalNote,
    dueAt: period.to < ledgerDay(ctx.now()) ? null : period.to,
    note: '',
    memo: '',
  };
}

/**
 * Notifies billing contacts 30, 7 and 1 days before a paid period ends, once each; a missed notice is not sent together with the next one. Orders that are
 * already renewed are skipped. Runs on a schedule.
 */
export async function notifyRenewals(ctx: Context): Promise<void> {
  const { db } = ctx.postgres;
  const today = ledgerDay(ctx.now());
  for (const { order, customerName, siteName, renewalState } of await endingOrders(db, { customerId: null, siteIds: null }, today, addDays(today, 30))) {
    if (order.periodTo === null || (renewalState !== null && renewalState !== 'draft')) continue;
    const days = daysBetween(today, order.periodTo);
    const step = noticeDays.find((one) => days <= one);
    if (step === undefined) continue;
    const facts: Ending = { ...order, endsOn: order.periodTo, days, customerName, siteName };
    const site = order.siteId === null ? {} : { site: { id: order.siteId, name: siteName ?? '' } };
    await db.transaction(async (tx) => {
      const fresh = await takeNotice(tx, order.id, step, new Date(ctx.now()));
      for (const earlier of noticeDays.filter((one) => one > step)) await takeNotice(tx, order.id, earlier, new Date(ctx.now()));
      if (fresh) await notifyContacts(ctx, tx, { topic: 'billing', ...site, message: (locale) => renewalNotice(ctx, facts, locale) });
    });
  }
}

type Ending = Pick<OrderRecord, 'id' | 'number' | 'title' | 'total' | 'currency' | 'renewalNote'> & {
  readonly endsOn: string;
  readonly days: number;
  readonly customerName: string;
  readonly siteName: string | null;
};

function renewalNotice(ctx: Context, order: Ending, locale: Locale): NoticeMessage {
  const { number, title, endsOn, days, customerName, siteName, renewalNote } = order;
  const amount = `${order.currency} ${decimal(order.total, order.currency)}`;
  const url = `${ctx.config.publicUrl}/account/trades/account_trades`;
  const note = renewalNote === '' ? [] : [renewalNote];
  if (locale === 'en') {
    const when = days === 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`;
    return {
      subject: `“${title}” ends ${when}`,
      paragraphs: [`The period of order ${number} ends ${when}, on ${endsOn}. Renew it in time to keep it running.`, ...note],
      facts: [
        { label: 'Customer', value: customerName },
        ...(siteName === null ? [] : [{ label: 'Site', value: siteName }]),
        { label: 'Order', value: number },
        { label: 'Amount last time', value: amount },
      ],
      action: { label: 'Open orders', url },
    };
  }
  const when = days === 0 ? '今天' : days === 1 ? '明天' : ` ${days} 天后`;
  return {
    subject: `“${title}”将于${when}到期`,
    paragraphs: [`订单 ${number} 的服务期将于${when}（${endsOn}）结束，如需继续使用，请及时续费。`, ...note],
    facts: [
      { label: '客户', value: customerName },
      ...(siteName === null ? [] : [{ label: '站点', value: siteName }]),
      { label: '订单', value: number },
      { label: '上次金额', value: amount },
    ],
    action: { label: '查看订单', url },
  };
}
