import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { hookLimits, tableHookEndpoints as endpoints } from '../../../../contract/tables/webhooks';
import type { Hook, HookDeliveryWhole } from '../../../../contract/tables/webhooks';
import type { RecordFilter } from '../../../../contract/tables/recordFilter';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import { route } from '../../../http/route';
import { refusalOf } from '../../../net/publicAddress';
import { actorOf, difference, record } from '../../audit';
import { createThrottle } from '../../session';
import { Faults } from '../schema';
import { siteModel } from '../core/model';
import type { SiteModel } from '../core/model';
import { Unsendable, makeBody, testBody } from './message';
import { asTold, hookFilter } from './model';
import { headersOf, post, sealSecret, secretPrefix } from './post';
import * as queries from './queries';
import type { DeliveryRecord, HookRecord } from './queries';
import { conclude } from './sender';
import { shownDelivery, shownHook } from './shown';

type Given = {
  readonly name?: string | undefined;
  readonly url?: string | undefined;
  readonly events?: readonly string[] | undefined;
  readonly tables?: readonly string[] | null | undefined;
  readonly filter?: RecordFilter | null | undefined;
  readonly enabled?: boolean | undefined;
};
type Kept = Pick<HookRecord, 'name' | 'url' | 'events' | 'tableIds' | 'filter' | 'enabled'>;

const newSecret = (): string => `${secretPrefix}${randomBytes(32).toString('base64')}`;
/** A test belongs to whoever waits for it; nobody else takes it meanwhile. */
const testLease = 60_000;

/** What the audit log is told: of the address only whose it is, for the rest of it may be a secret. */
const forAudit = (hook: Kept) => ({
  name: hook.name,
  receiver: new URL(hook.url).host,
  events: hook.events,
  tables: hook.tableIds,
  filtered: hook.filter,
  enabled: hook.enabled,
});

/** A webhook as it is kept: tables and fields by id, whatever name they were given by. Throws `invalid_fields` with everything that is wrong. */
function prepared(ctx: Context, model: SiteModel, given: Given, before: HookRecord | null): Kept {
  const faults = new Faults();
  const url = given.url === undefined ? (before?.url ?? '') : checkedUrl(ctx, given.url, faults);
  const tableIds = given.tables === undefined ? (before?.tableIds ?? null) : tablesIn(given.tables);
  const filter = given.filter === undefined ? (before?.filter ?? null) : given.filter;
  function tablesIn(names: readonly string[] | null): string[] | null {
    if (names === null) return null;
    // A table that has gone meanwhile may stay in the list.
    const ids = names.map((name) => model.byName.get(name)?.id ?? (before?.tableIds?.includes(name) === true ? name : null));
    if (ids.includes(null)) faults.add('tables', 'unknown');
    return [...new Set(ids.filter((id) => id !== null))];
  }
  function filterIn(asked: RecordFilter): RecordFilter {
    const [only, ...others] = tableIds ?? [];
    const table = only !== undefined && others.length === 0 ? model.byName.get(only) : undefined;
    if (table) return given.filter === undefined && given.tables === undefined ? asked : hookFilter(model, table, asked, faults);
    if (only === undefined || others.length > 0) faults.add('filter', 'pattern');
    return asked;
  }
  const kept: Kept = {
    name: given.name ?? before?.name ?? '',
    url,
    events: given.events === undefined ? (before?.events ?? []) : [...new Set(given.events)],
    tableIds,
    filter: filter === null ? null : filterIn(filter),
    enabled: given.enabled ?? before?.enabled ?? true,
  };
  faults.settle();
  return kept;
}

function checkedUrl(ctx: Context, text: string, faults: Faults): string {
  const refusal = refusalOf(new URL(text), ctx.config.privateWebhooks);
  if (refusal !== null) faults.add('url', refusal);
  return text;
}

/** Webhooks and their deliveries, for who designs the tables of the site. */
export function registerHooks(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;
  const throttle = createThrottle(ctx);

  const find = async (siteId: string, id: string): Promise<HookRecord> => (await queries.findHook(db, siteId, id)) ?? fail('not_found');
  const shown = async (row: HookRecord): Promise<Hook> => shownHook(row, (await queries.figuresOf(db, row.siteId, row.id)).get(row.id));
  const deliveryOf = async (hook: HookRecord, id: string): Promise<DeliveryRecord> =>
    (await queries.findDelivery(db, hook.id, Number(id))) ?? fail('not_found');
  const target = ({ id, name }: { readonly id: string; readonly name: string }) => ({ kind: 'webhook', id, name });

  route(app, ctx, endpoints.hooks, async ({ site }) => {
    const [rows, figures] = await Promise.all([queries.hooksOf(db, site.id), queries.figuresOf(db, site.id)]);
    return rows.map((row) => shownHook(row, figures.get(row.id)));
  });
  route(app, ctx, endpoints.hook, async ({ site, params }) => shown(await find(site.id, params.hook)));

  route(app, ctx, endpoints.addHook, async (call) => {
    const { site, body, session } = call;
    const kept = prepared(ctx, asTold(await siteModel(ctx, site.id)), body, null);
    const secret = newSecret();
    const row = await ctx.postgres.withLock(`hooks ${site.id}`, () =>
      db.transaction(async (tx) => {
        if ((await queries.hooksOf(tx, site.id)).length >= hookLimits.hooks) fail('conflict');
        const made = await queries.insertHook(tx, {
          ...kept,
          siteId: site.id,
          secret: sealSecret(ctx, secret),
          createdBy: session.userId,
          createdAt: new Date(ctx.now()),
        });
        await record(ctx, tx, actorOf(call), { action: 'webhook.added', siteId: site.id, target: target(made), after: forAudit(made) });
        return made;
      }),
    );
    return { hook: shownHook(row), secret };
  });

  route(app, ctx, endpoints.changeHook, async (call) => {
    const { site, body, params } = call;
    const revision = call.ifMatch();
    const model = asTold(await siteModel(ctx, site.id));
    const after = await db.transaction(async (tx) => {
      const before = (await queries.lockHook(tx, site.id, params.hook)) ?? fail('not_found');
      if (before.revision !== revision) fail('stale_revision', { current: await shown(before) });
      const kept = prepared(ctx, model, body, before);
      const told = difference(forAudit(before), forAudit(kept), ['name', 'receiver', 'events', 'tables', 'filtered', 'enabled']);
      const moved = before.url !== kept.url;
      if (Object.keys(told.after).length === 0 && !moved) return before;
      // Switched on again, or sent elsewhere: what was before says nothing about it.
      const fresh = (kept.enabled && !before.enabled) || moved ? { offReason: null, offAt: null, failingSince: null } : {};
      const row = await queries.updateHook(tx, before.id, { ...kept, ...fresh });
      await record(ctx, tx, actorOf(call), { action: 'webhook.changed', siteId: site.id, target: target(row), ...told });
      if (row.enabled) await queries.wakeSenders(tx);
      return row;
    });
    return shown(after);
  });

  route(app, ctx, endpoints.removeHook, async (call) => {
    await db.transaction(async (tx) => {
      const row = (await queries.lockHook(tx, call.site.id, call.params.hook)) ?? fail('not_found');
      await queries.deleteHook(tx, row.id);
      await record(ctx, tx, actorOf(call), { action: 'webhook.removed', siteId: row.siteId, target: target(row), before: forAudit(row) });
    });
  });

  route(app, ctx, endpoints.rotateHook, async (call) => {
    const secret = newSecret();
    const after = await db.transaction(async (tx) => {
      const before = (await queries.lockHook(tx, call.site.id, call.params.hook)) ?? fail('not_found');
      const { keepOld } = call.body;
      const row = await queries.updateHook(tx, before.id, {
        secret: sealSecret(ctx, secret),
        oldSecret: keepOld ? before.secret : null,
        oldSecretUntil: keepOld ? new Date(ctx.now() + hookLimits.oldSecretHours * 3_600_000) : null,
      });
      await record(ctx, tx, actorOf(call), { action: 'webhook.changed', siteId: row.siteId, target: target(row), after: { signing: 'renewed', keepOld } });
      return row;
    });
    return { hook: await shown(after), secret };
  });

  /** With what is sent; long bodies are made anew. */
  async function whole(hook: HookRecord, site: { id: string; name: string; timeZone: string }, row: DeliveryRecord): Promise<HookDeliveryWhole> {
    const rebuilt = row.body === null && row.event !== 'test';
    const body = rebuilt
      ? await makeBody(ctx, site, hook, row).catch((error: unknown) => (error instanceof Unsendable ? null : Promise.reject(error as Error)))
      : row.body;
    const headers = headersOf(row, Math.floor((row.sentAt ?? row.at).getTime() / 1000));
    return { ...shownDelivery(row), recordIds: row.recordIds, request: { url: hook.url, headers, body, rebuilt }, reply: row.reply };
  }
  const siteOf = ({ id, row }: { readonly id: string; readonly row: { readonly name: string; readonly timeZone: string } }) => ({
    id,
    name: row.name,
    timeZone: row.timeZone,
  });

  route(app, ctx, endpoints.testHook, async ({ site, params, session }) => {
    const hook = await find(site.id, params.hook);
    await throttle.limit(`table hook test ${hook.id}`, 60, 3600);
    const at = new Date(ctx.now());
    const own = { hookId: hook.id, siteId: site.id, tableId: '', event: 'test', recordIds: [], state: 'waiting' as const, attempts: 1, nextAt: at, at };
    const row = await queries.insertDelivery(db, { ...own, leaseUntil: new Date(at.getTime() + testLease) });
    const body = testBody(ctx, siteOf(site), row, { id: session.userId, name: session.displayName });
    await conclude(ctx, hook, row, body, await post(ctx, hook, row, body));
    return whole(hook, siteOf(site), await deliveryOf(hook, String(row.id)));
  });

  route(app, ctx, endpoints.hookDeliveries, async ({ site, params, query }) => {
    const hook = await find(site.id, params.hook);
    const { state, event, before, size } = query;
    const found = await queries.deliveriesOf(db, hook.id, {
      ...(state === undefined ? {} : { state }),
      ...(event === undefined ? {} : { event }),
      ...(before === undefined ? {} : { before: Number(before) }),
      size: size + 1,
    });
    const rows = found.slice(0, size).map(shownDelivery);
    return { rows, next: found.length > size ? (rows.at(-1)?.id ?? null) : null };
  });

  route(app, ctx, endpoints.hookDelivery, async ({ site, params }) => {
    const hook = await find(site.id, params.hook);
    return whole(hook, siteOf(site), await deliveryOf(hook, params.delivery));
  });

  route(app, ctx, endpoints.replayDelivery, async ({ site, params }) => {
    const hook = await find(site.id, params.hook);
    const row = await deliveryOf(hook, params.delivery);
    if (!hook.enabled || row.event === 'test') fail('conflict');
    await queries.replay(db, row.id, new Date(ctx.now()));
    return shownDelivery(await deliveryOf(hook, params.delivery));
  });

  route(app, ctx, endpoints.replayFailed, async ({ site, params, body }) => {
    const hook = await find(site.id, params.hook);
    if (!hook.enabled) fail('conflict');
    return { count: await queries.replayFailed(db, hook.id, new Date(body.since), new Date(ctx.now())) };
  });
}
