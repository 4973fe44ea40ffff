import type { FastifyInstance } from 'fastify';
import type { LiveEvent } from '../../../../contract/live/schemas';
import type { SiteRole } from '../../../../contract/permissions';
import { recordEndpoints as endpoints } from '../../../../contract/tables/recordEndpoints';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import { route } from '../../../http/route';
import { grantOf, requireGrant } from '../core/access';
import type { Reader } from '../core/access';
import { fieldOf, siteModel, tableOf } from '../core/model';
import { requireVisible } from './target';

/** Minimum interval between notices about one person in one table, ms: holding down an arrow key moves thirty times a second. */
const leastBetween = 400;
/** An unchanged position is announced again after this time, ms; a person without news for half a minute counts as gone. */
const stillThere = 10_000;
const forgottenAfter = 30_000;
const maxEntries = 10_000;

type Presence = Extract<LiveEvent, { type: 'presence' }>;
type Published = { at: number; place: string; timer: NodeJS.Timeout | null; next: Presence | null };

/** `POST …/presence`: a person's position in a table, sent over the live stream to its other readers. Not stored. */
export function registerPresence(app: FastifyInstance, ctx: Context): void {
  const published = new Map<string, Published>();
  const forget = (): void => {
    if (published.size <= maxEntries) return;
    for (const [key, one] of published) if (one.timer === null && one.at < ctx.now() - forgottenAfter) published.delete(key);
  };

  function send(key: string, event: Presence): void {
    published.set(key, { at: ctx.now(), place: `${event.recordId} ${event.fieldId}`, timer: null, next: null });
    ctx.live.publish(event);
    forget();
  }
  /** Sends immediately or once the interval has passed; only the last position counts. */
  function say(event: Presence): void {
    const key = `${event.tableId} ${event.userId}`;
    const last = published.get(key);
    const since = last ? ctx.now() - last.at : Infinity;
    if (!last || since >= stillThere) return send(key, event);
    if (last.timer !== null) return void (last.next = event);
    if (last.place === `${event.recordId} ${event.fieldId}`) return;
    if (since >= leastBetween) return send(key, event);
    last.next = event;
    last.timer = setTimeout(() => {
      if (last.next) send(key, last.next);
    }, leastBetween - since);
    last.timer.unref();
  }
  app.addHook('preClose', async () => {
    for (const { timer } of published.values()) if (timer) clearTimeout(timer);
    published.clear();
  });

  route(app, ctx, endpoints.present, async ({ site, session, params, body }) => {
    const model = await siteModel(ctx, site.id);
    const table = tableOf(model, params.table);
    const reader: Reader = { role: site.role, userId: session.userId };
    const grant = requireGrant(table, reader, 'read');
    if (body.recordId !== null) await requireVisible(ctx, { model, table, reader, timeZone: site.row.timeZone }, body.recordId);
    if (body.fieldId !== null && !grant.covers(fieldOf(table, body.fieldId))) fail('not_found');
    say({ type: 'presence', siteId: site.id, tableId: table.id, userId: session.userId, name: session.displayName, ...body });
  });
}

type Heard = Extract<LiveEvent, { type: 'presence' | 'records' | 'tables' }>;
/**
 * The part of a table's change event that a role may receive; null: none, if it may not read the table. If it sees only some of the records, it learns
 * that something changed or that somebody is present, but not in which record.
 */
export async function hearableOf(ctx: Context, role: SiteRole, event: Heard): Promise<Heard | null> {
  if (role === 'admin' || event.type === 'tables') return event;
  const model = await siteModel(ctx, event.siteId);
  const table = model.byName.get(event.tableId);
  const grant = table && grantOf(table, { role, userId: null }, 'read');
  if (!table || !grant?.allowed) return null;
  if (event.type === 'records') return grant.filter ? { ...event, ids: [] } : event;
  const field = event.fieldId === null ? undefined : table.byName.get(event.fieldId);
  const place = { recordId: grant.filter ? null : event.recordId, fieldId: field && !grant.filter && grant.covers(field) ? field.id : null };
  return { ...event, ...place };
}
