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

/** One person is told of in one table at most this often, milliseconds: who holds an arrow key down moves thirty times a second. */
const leastBetween = 400;
/** The same place again says only that somebody is still there; half a minute without a word means that they are gone. */
const stillThere = 10_000;
const forgottenAfter = 30_000;
const mostKept = 10_000;

type Presence = Extract<LiveEvent, { type: 'presence' }>;
type Told = { at: number; place: string; timer: NodeJS.Timeout | null; next: Presence | null };

/** `POST …/presence`: where somebody is in a table, told over the live stream to others who read it. Kept nowhere. */
export function registerPresence(app: FastifyInstance, ctx: Context): void {
  const told = new Map<string, Told>();
  const forget = (): void => {
    if (told.size <= mostKept) return;
    for (const [key, one] of told) if (one.timer === null && one.at < ctx.now() - forgottenAfter) told.delete(key);
  };

  function send(key: string, event: Presence): void {
    told.set(key, { at: ctx.now(), place: `${event.recordId} ${event.fieldId}`, timer: null, next: null });
    ctx.live.publish(event);
    forget();
  }
  /** At once, or when the time since the last word is over: the last place counts, those between are left out. */
  function say(event: Presence): void {
    const key = `${event.tableId} ${event.userId}`;
    const last = told.get(key);
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
    for (const { timer } of told.values()) if (timer) clearTimeout(timer);
    told.clear();
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
 * What somebody with a role on the site may hear of a table's changes, or null: nothing of a table that they may not read; and of one of which
 * they see some records only, that something changed and that somebody is there, not which record.
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
