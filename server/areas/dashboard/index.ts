import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { dashboardEndpoints as endpoints } from '../../../contract/dashboard/schemas';
import type { Cards } from '../../../contract/dashboard/schemas';
import { cardIds, cardNeeds, dashboardLimits } from '../../../contract/dashboard/terms';
import type { CardId } from '../../../contract/dashboard/terms';
import type { LiveEvent } from '../../../contract/live/schemas';
import { mayOnSite } from '../../../contract/permissions';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import { route } from '../../http/route';
import type { CallOf, ResponseOf } from '../../http/route';
import { DAY, MINUTE } from '../../zone';
import type { Area } from '../area';
import { actorOf, record } from '../audit';
import { noArrivals } from '../analytics';
import { attentionCard, withSnoozes } from './attention';
import type { AttentionFound } from './attention';
import { createCardReader } from './cardReader';
import { causesOf } from './causes';
import type { CardContent, CardReader, ReadCard } from './cardReader';
import { isAllowed } from './reader';
import type { CardCall } from './reader';
import { activityCard, capacityCard, contentCard, hostnamesCard, searchCard, setupCard, supportCard, vitalsCard } from './siteCards';
import { allSnoozesOf, eraseSnoozesOf, putSnooze, setupKey, snoozesFor } from './snoozes';
import type { Snooze } from './snoozes';
import { supportOf } from './support';
import { liveCard, todayCard, topCard, whyChanged } from './traffic';

type Card = {
  /** Milliseconds for which data are used again. */
  readonly usedFor: number;
  /** Whether what a reader sees depends on who they are, beside their role. */
  readonly personal?: true;
  readonly read: (call: CardCall) => Promise<CardContent<unknown>>;
};

const cards: Readonly<Record<CardId, Card>> = {
  attention: { usedFor: MINUTE, read: attentionCard },
  setup: { usedFor: MINUTE, read: setupCard },
  live: { usedFor: 3000, read: liveCard },
  today: { usedFor: MINUTE / 2, read: todayCard },
  top: { usedFor: MINUTE, read: topCard },
  vitals: { usedFor: 5 * MINUTE, read: vitalsCard },
  search: { usedFor: 2 * MINUTE, read: searchCard },
  support: { usedFor: MINUTE / 6, read: supportCard },
  hostnames: { usedFor: MINUTE, read: hostnamesCard },
  content: { usedFor: MINUTE, personal: true, read: contentCard },
  capacity: { usedFor: 5 * MINUTE, read: capacityCard },
  activity: { usedFor: MINUTE / 2, read: activityCard },
};

/**
 * The cards that a change of a site concerns; reports of days change with traffic or with time, and are read again after `usedFor`. Who is online is read again
 * after each visit: a screen that heard of the visit would otherwise get a reading from before it, and asks again only 15 seconds later.
 */
const concerned: Readonly<Partial<Record<LiveEvent['type'], readonly CardId[] | undefined>>> = {
  als: ['live'],
  publishing: ['attention', 'setup', 'today', 'search', 'content'],
  hostnames: ['attention', 'setup', 'hostnames'],
  filings: ['attention', 'setup', 'hostnames'],
  seo: ['attention', 'setup', 'search'],
  countryBlock: ['attention'],
  resources: ['attention', 'capacity'],
  records: ['content'],
  tables: ['content'],
  intl: ['content'],
  crawl: ['attention', 'search', 'capacity'],
  support: ['attention', 'support'],
  supportAgents: ['support'],
  supportSettings: ['attention', 'setup', 'support', 'today'],
  site: cardIds,
};

type DashboardCall = CallOf<typeof endpoints.dashboard>;

/** Readers with the same rights share what was read. */
const readerOf = ({ site, session }: DashboardCall, card: Card): string =>
  [site.role, session.role, session.token?.scopes.join(' ') ?? '', card.personal ? session.userId : ''].join('|');

/** Once for all cards that need it. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => (result ??= read());
}

/** What a person has hidden is theirs, so it is added to data that readers share. */
function forPerson(id: CardId, card: ReadCard<unknown>, snoozes: readonly Snooze[]): ReadCard<unknown> {
  if (card.data === null) return card;
  if (id === 'setup') return { ...card, data: { ...card.data, hidden: snoozes.some(({ key }) => key === setupKey) } };
  if (id !== 'attention') return card;
  const data = withSnoozes(card.data as AttentionFound, snoozes);
  const isEmpty = card.state === 'ok' && data.unread.length === 0 && data.items.every(({ snooze }) => snooze !== null);
  return { ...card, state: isEmpty ? 'empty' : card.state, data };
}

async function readCards(
  ctx: Context,
  reader: CardReader,
  call: DashboardCall,
  arrivals: CardCall['arrivals'],
): Promise<ResponseOf<typeof endpoints.dashboard>> {
  const { site, session, locale, request, query } = call;
  const cardCall: CardCall = { ctx, site, session, locale, request, arrivals, support: once(() => supportOf(ctx, site)) };
  const requested = query.cards ?? cardIds;
  const hides = requested.some((id) => id === 'attention' || id === 'setup');
  const snoozes = once(() => (hides ? snoozesFor(ctx.postgres.db, site.id, session.userId, new Date(ctx.now())) : Promise.resolve([])));
  const found = requested.map(async (id) => {
    if (!isAllowed(cardNeeds[id], cardCall)) return [id, { state: 'forbidden', at: null, data: null }] as const;
    const card = cards[id];
    const read = await reader.read({
      id,
      siteId: site.id,
      reader: readerOf(call, card),
      usedFor: card.usedFor,
      isFresh: query.fresh === '1',
      read: () => card.read(cardCall),
    });
    return [id, forPerson(id, read, await snoozes())] as const;
  });
  return {
    at: new Date(ctx.now()).toISOString(),
    timeZone: site.row.timeZone,
    cards: Object.fromEntries(await Promise.all(found)) as z.input<typeof Cards>,
  };
}

async function putOff(ctx: Context, call: CallOf<typeof endpoints.snoozeAttention>): Promise<void> {
  const { site, session, body } = call;
  if (body.forAll && !mayOnSite(site.role, 'site.rename')) fail('forbidden');
  const now = new Date(ctx.now());
  const until = body.days === 0 ? null : new Date(ctx.now() + body.days * DAY);
  await ctx.postgres.db.transaction(async (tx) => {
    await putSnooze(tx, { siteId: site.id, userId: body.forAll ? null : session.userId, key: body.key, until, now });
    if (!body.forAll) return;
    await record(ctx, tx, actorOf(call), {
      action: until === null ? 'dashboard.unsnoozed' : 'dashboard.snoozed',
      siteId: site.id,
      target: { kind: 'site', id: site.id, name: site.row.name },
      after: { item: body.key, ...(until !== null && { days: body.days }) },
    });
  });
}

/** Hidden for good, as far as a date can say that. */
const forever = new Date(Date.UTC(9999, 0, 1));

function register(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;
  const reader = createCardReader(ctx, dashboardLimits.cardMs);
  const arrivals = () => app.arrivals ?? noArrivals;
  const stop = ctx.live.subscribe((event) => {
    const ids = concerned[event.type];
    if (ids !== undefined && 'siteId' in event) reader.forget(event.siteId, ids);
  });
  app.addHook('onClose', async () => stop());
  route(app, ctx, endpoints.dashboard, (call) => readCards(ctx, reader, call, arrivals));
  route(app, ctx, endpoints.dashboardChange, ({ site, query }) => whyChanged(ctx, site, query.against));
  route(app, ctx, endpoints.dashboardCauses, ({ site, session, query }) => causesOf({ ctx, site, session }, query.against));
  route(app, ctx, endpoints.snoozeAttention, async (call) => {
    await putOff(ctx, call);
    return null;
  });
  route(app, ctx, endpoints.hideSetup, async ({ site, session, body }) => {
    await putSnooze(db, { siteId: site.id, userId: session.userId, key: setupKey, until: body.hidden ? forever : null, now: new Date(ctx.now()) });
    return null;
  });
}

/** The dashboard of a site: what the day begins with, from all areas. */
export const area: Area = {
  register,
  erasePerson: async (tx, userId) => void (await eraseSnoozesOf(tx, userId)),
  exportPerson: async (db, userId) => ({ snoozed: await allSnoozesOf(db, userId) }),
};
