import type { CardData } from '../../../contract/dashboard/schemas';
import { cardNeeds, dashboardLimits as limits, setupSteps } from '../../../contract/dashboard/terms';
import type { Need, SetupStep } from '../../../contract/dashboard/terms';
import { isNumbered } from '../../../contract/filings/states';
import { isShownOnPages } from '../../../contract/filings/terms';
import { users } from '../account/schema';
import { inArray } from 'drizzle-orm';
import { DAY, addDays, dayAt, dayStart, instantOf, wallAt, dayNumber } from '../../zone';
import { firstArrivalOf, runQuery } from '../analytics';
import { auditOfSite } from '../audit';
import { searchHealth } from '../crawler';
import { listedFilings } from '../filings';
import { listedHostnames } from '../hostnames';
import { missingTexts } from '../languages';
import { buildState, contentState, crawlersSince } from '../publishing';
import { storageUse } from '../resources';
import { pushesPages } from '../seo';
import { peopleWith } from '../sites';
import { coreVitals } from '../vitals';
import type { CardContent } from './cardReader';
import { isAllowed } from './reader';
import type { CardCall } from './reader';

const vitalDays = 7;

export async function vitalsCard({ ctx, site }: CardCall): Promise<CardContent<CardData<'vitals'>>> {
  const { timeZone } = site.row;
  const today = dayAt(ctx.now(), timeZone);
  const data = await coreVitals(ctx, { id: site.id, timeZone }, addDays(today, 1 - vitalDays), today);
  return { data, isEmpty: data.scores.every(({ n }) => n === 0) };
}

export async function searchCard({ ctx, site }: CardCall): Promise<CardContent<CardData<'search'>>> {
  const [crawl, crawlers] = await Promise.all([searchHealth(ctx, site.id), site.row.purpose === 'built' ? crawlersSince(ctx, site.id, ctx.now() - DAY) : null]);
  return { data: { crawl, crawlers }, isEmpty: crawl === null && !crawlers?.length };
}

export async function supportCard({ support }: CardCall): Promise<CardContent<CardData<'support'>>> {
  const { summary: found } = await support();
  if (found === null) return { data: { unread: 0, waiting: 0, waitingSince: null, today: 0, agentsOnline: 0, rating: null, ratings: 0 }, isEmpty: true };
  const { unread, waiting, waitingSince, today, agentsOnline, rating, ratings } = found;
  return { data: { unread, waiting, waitingSince, today, agentsOnline, rating, ratings } };
}

const footerOrder = ['missing', 'wrong_number', 'hidden', 'wrong_link', 'unreachable', 'ok', 'unchecked'] as const;

export async function hostnamesCard({ ctx, site }: CardCall): Promise<CardContent<CardData<'hostnames'>>> {
  const [hostnames, filings] = await Promise.all([listedHostnames(ctx, site.id), listedFilings(ctx, { id: site.id, timeZone: site.row.timeZone })]);
  const stateOf = (kind: 'icp' | 'mps') => {
    const own = filings.rows.filter((row) => row.kind === kind && row.state !== 'cancelled');
    return (own.find(({ state }) => isNumbered(state)) ?? own[0])?.state ?? null;
  };
  const footers = filings.rows.filter((row) => isShownOnPages(row.kind) && isNumbered(row.state)).map(({ footer }) => footer.state);
  const data = {
    rows: hostnames.slice(0, limits.hostnames).map(({ unicode, health, dns, tls, certificate, role }) => ({
      host: unicode,
      health,
      dns,
      tls,
      expiresAt: certificate?.notAfter ?? null,
      primary: role === 'primary',
    })),
    more: Math.max(0, hostnames.length - limits.hostnames),
    filings: { icp: stateOf('icp'), mps: stateOf('mps'), footer: footerOrder.find((state) => footers.includes(state)) ?? null },
  };
  return { data, isEmpty: hostnames.length === 0 && filings.rows.length === 0 };
}

export async function contentCard(call: CardCall): Promise<CardContent<CardData<'content'>>> {
  const { ctx, site, session, request } = call;
  const [{ last, scheduled, ...counts }, missing] = await Promise.all([contentState(ctx, { site, session }), missingTexts(ctx, { site, session, request })]);
  const data = {
    ...counts,
    scheduled: scheduled.map(({ number, at }) => ({ number, at: at.toISOString() })),
    last: last && { ...last, at: last.at.toISOString() },
    missing: missing.filter(({ texts }) => texts > 0),
  };
  const isEmpty = data.drafts === 0 && last === null && scheduled.length === 0 && data.missing.length === 0;
  return { data, isEmpty };
}

/** Page views and events of this month, of last month until the same day and time, and of all of last month. */
async function hitsOf({ ctx, site }: CardCall): Promise<{ month: number; before: number; lastMonth: number }> {
  const { timeZone } = site.row;
  const now = ctx.now();
  const today = dayAt(now, timeZone);
  const first = `${today.slice(0, 8)}01`;
  const firstBefore = `${addDays(first, -1).slice(0, 8)}01`;
  const sameDay = addDays(firstBefore, dayNumber(today) - dayNumber(first));
  const until = sameDay < first ? instantOf(sameDay, wallAt(now, timeZone) - dayNumber(today) * DAY, timeZone) : dayStart(first, timeZone);
  const [row] = await runQuery<{ month: number; before: number; lastMonth: number }>(
    { clickhouse: ctx.clickhouse },
    `SELECT toFloat64(sumIf(pv + events, ms >= {first:Int64})) AS month, toFloat64(sumIf(pv + events, ms < {until:Int64})) AS before,
      toFloat64(sumIf(pv + events, ms < {first:Int64})) AS lastMonth
    FROM (SELECT pv, events, toUnixTimestamp64Milli(start) AS ms FROM visits FINAL WHERE site_id = {site:String} AND deleted = 0
      AND start >= fromUnixTimestamp64Milli({since:Int64}, 'UTC'))`,
    { site: site.id, first: dayStart(first, timeZone), since: dayStart(firstBefore, timeZone), until },
  );
  return row ?? { month: 0, before: 0, lastMonth: 0 };
}

/** Pages and hits only for those who may see them on their screens. */
export async function capacityCard(call: CardCall): Promise<CardContent<CardData<'capacity'>>> {
  const { ctx, site } = call;
  const [{ usedBytes, maxBytes }, crawl, hits] = await Promise.all([
    storageUse(ctx, site.id),
    isAllowed(cardNeeds.search, call) ? searchHealth(ctx, site.id) : null,
    isAllowed(cardNeeds.top, call) ? hitsOf(call) : null,
  ]);
  return { data: { usedBytes, maxBytes, pages: crawl?.pages ?? null, hits } };
}

export async function activityCard({ ctx, site, session, locale }: CardCall): Promise<CardContent<CardData<'activity'>>> {
  const { rows } = await auditOfSite(ctx, { session, locale }, { siteId: site.id, before: undefined, size: limits.activity });
  const ids = [...new Set(rows.flatMap(({ actor }) => (actor.id === null ? [] : [actor.id])))];
  const people = ids.length === 0 ? [] : await ctx.postgres.db.select({ id: users.id, name: users.displayName }).from(users).where(inArray(users.id, ids));
  // The log has the login names, the other cards call people by their own.
  const nameOf = new Map(people.map(({ id, name }) => [id, name]));
  const named = rows.map(({ actor, ...row }) => ({ ...row, actor: { ...actor, name: nameOf.get(actor.id ?? '') ?? actor.name } }));
  return { data: { rows: named.map((row) => ({ ...row, address: '', place: '', device: '' })) }, isEmpty: rows.length === 0 };
}

/** Two people can administer the site, or the only one is protected by a second factor. */
async function hasSafeAdmins({ ctx, site }: CardCall): Promise<boolean> {
  const { db } = ctx.postgres;
  const admins = await peopleWith(db, site.id, 'site.compose');
  if (admins.length !== 1) return admins.length > 1;
  const [only] = await db.select({ secondFactor: users.secondFactor }).from(users).where(inArray(users.id, admins));
  return only?.secondFactor === true;
}

const administers: Need = { action: { site: 'site.compose' }, scope: 'account:read' };

/**
 * What remains to be done to set a site up, as its data say. Filings concern sites for readers of Chinese; only administrators hear that an account among them
 * lacks a second factor.
 */
export async function setupCard(call: CardCall): Promise<CardContent<Omit<CardData<'setup'>, 'hidden'>>> {
  const { ctx, site, support } = call;
  const { id, defaultLang, timeZone, purpose } = site.row;
  const [build, hostnames, arrived, pushes, filings, service, admins] = await Promise.all([
    buildState(ctx, { id, defaultLang }),
    listedHostnames(ctx, id),
    firstArrivalOf(ctx, id),
    pushesPages(ctx, id),
    listedFilings(ctx, { id, timeZone }),
    support(),
    isAllowed(administers, call) ? hasSafeAdmins(call) : null,
  ]);
  const served = hostnames.filter((one) => one.served);
  const done: Readonly<Record<SetupStep, boolean | null>> = {
    identity: build.hasIcon,
    page: build.hasPages,
    theme: build.hasTheme,
    publish: build.isPublished,
    hostname: served.length > 0,
    certificate: served.some(({ tls }) => tls === 'active' || tls === 'renewing'),
    receiving: arrived !== null,
    sitemap: pushes,
    filing: defaultLang.startsWith('zh') ? filings.rows.some(({ kind, state }) => isShownOnPages(kind) && isNumbered(state)) : null,
    support: service.isOn,
    secondAdmin: admins,
  };
  const steps = setupSteps.flatMap(({ id: step, external }) => {
    const isDone = done[step];
    return isDone === null || (purpose === 'external' && !external) ? [] : [{ id: step, done: isDone }];
  });
  return { data: { steps }, isEmpty: steps.every((step) => step.done) };
}
