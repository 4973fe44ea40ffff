import { eq } from 'drizzle-orm';
import { mayOnSite } from '../../../contract/permissions';
import type { SupportVisitor, VisitorDetails } from '../../../contract/support/conversations';
import type { supportEndpoints as endpoints } from '../../../contract/support/schemas';
import { deviceOf } from '../../collect/classify';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import type { CallOf } from '../../http/route';
import { queryContextFor, visitsOfVisitor } from '../analytics';
import { actorOf, record } from '../audit';
import { openIssuesOfPage } from '../crawler';
import { otherConversations } from './changes';
import * as queries from './queries';
import type { VisitorRow } from './queries';
import { supportVisitors } from './schema';
import { findVisitorById, isBlocked, isVisitorOnline } from './visitors';

type PaneCall = CallOf<typeof endpoints.supportVisitor>;
/** Visits and pages that are listed. */
const most = { visits: 20, pages: 50 };

const versioned = (name: string, version: string): string => (version === '' ? name : `${name} ${version}`);

/** Who replies sees what the visitor did on the site, also without access to the reports of everybody, or to crawls. */
const maySee = ({ role }: PaneCall['site'], action: 'analytics.read' | 'crawler.read'): boolean => mayOnSite(role, 'support.reply') || mayOnSite(role, action);

/** Pages that the visitor visited, latest first; null if the reader may not see them, or the visitor is not known to analytics. */
async function pagesOf(ctx: Context, { site, reply }: PaneCall, { analyticsId }: VisitorRow): Promise<Pick<SupportVisitor, 'pages' | 'visits'>> {
  if (analyticsId === null || !maySee(site, 'analytics.read')) return { pages: null, visits: null };
  try {
    const visits = await visitsOfVisitor(queryContextFor(ctx, reply), { siteId: site.id, visitorId: analyticsId, size: most.visits, now: ctx.now() });
    const pages = visits
      .flatMap((visit) => visit.pages)
      .toSorted((a, b) => b.at - a.at)
      .slice(0, most.pages)
      .map(({ at, path, title, engagedMs }) => ({
        at: new Date(at).toISOString(),
        url: path,
        title,
        seconds: engagedMs === 0 ? null : Math.round(engagedMs / 1000),
      }));
    return { pages, visits: visits[0]?.visitNo ?? 0 };
  } catch (error) {
    // The rest of the pane does not depend on analytics.
    ctx.log.warn('The pages of a visitor could not be read', { siteId: site.id, error });
    return { pages: null, visits: null };
  }
}

async function earlierOf(ctx: Context, visitor: VisitorRow, id: string): Promise<SupportVisitor['conversations']> {
  const { db } = ctx.postgres;
  const rows = await otherConversations(db, visitor.id, id);
  const last = await queries.lastMessages(
    db,
    rows.map((row) => row.id),
  );
  return rows.map((row) => {
    const message = last.get(row.id);
    const text = message?.kind === 'file' ? message.fileName : message?.body;
    return { id: row.id, number: row.number, state: row.state, subject: row.subject, startedAt: row.startedAt.toISOString(), text: text ?? '' };
  });
}

export async function readVisitor(ctx: Context, call: PaneCall): Promise<SupportVisitor> {
  const { site, params } = call;
  const { db } = ctx.postgres;
  const conversation = (await queries.findConversation(db, site.id, params.id)) ?? fail('not_found');
  const visitor = (await findVisitorById(db, site.id, conversation.visitorId)) ?? fail('not_found');
  const { id, name, email, phone, wechat, company, tags, note, custom, country, region, city, address, language, source, page, pageAt } = visitor;
  const device = deviceOf(visitor.userAgent);
  const url = page?.url ?? conversation.page.url;
  const [pages, conversations, blocked, issues] = await Promise.all([
    pagesOf(ctx, call, visitor),
    earlierOf(ctx, visitor, conversation.id),
    isBlocked(ctx, site.id, { visitorId: id, email, address: visitor.addressTruncated ? '' : address }),
    url !== '' && maySee(site, 'crawler.read') ? openIssuesOfPage(ctx, site.id, url) : null,
  ]);
  return {
    id,
    name,
    email,
    phone,
    wechat,
    company,
    tags,
    note,
    custom,
    country,
    region,
    city,
    address,
    language,
    source,
    conversations,
    blocked,
    issues,
    ...pages,
    browser: versioned(device.browser, device.browserVersion),
    system: versioned(device.os, device.osVersion),
    device: device.deviceType,
    firstSeenAt: visitor.firstSeenAt.toISOString(),
    lastSeenAt: visitor.lastSeenAt.toISOString(),
    online: isVisitorOnline(visitor, ctx.now()),
    page: page && pageAt ? { ...page, at: pageAt.toISOString() } : null,
  };
}

export async function changeVisitor(ctx: Context, call: CallOf<typeof endpoints.changeSupportVisitor>): Promise<VisitorDetails> {
  const { site, params, body } = call;
  const row = await ctx.postgres.db.transaction(async (tx) => {
    const before = (await findVisitorById(tx, site.id, params.id)) ?? fail('not_found');
    const change = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as Partial<VisitorDetails>;
    if (Object.keys(change).length === 0) return before;
    const [after] = await tx.update(supportVisitors).set(change).where(eq(supportVisitors.id, before.id)).returning();
    // Which details, not what they are: the log is stored longer than visitors.
    await record(ctx, tx, actorOf(call), {
      action: 'support.visitor_changed',
      siteId: site.id,
      target: { kind: 'supportVisitor', id: before.id, name: '' },
      after: { fields: Object.keys(change) },
    });
    return after ?? fail('not_found');
  });
  ctx.live.publish({ type: 'supportVisitor', siteId: site.id, visitorId: row.id });
  const { name, email, phone, wechat, company, tags, note } = row;
  return { name, email, phone, wechat, company, tags, note };
}
