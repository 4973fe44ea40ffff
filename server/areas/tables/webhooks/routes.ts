import type { FastifyInstance } from 'fastify';
import { webhookLimits, tableWebhookEndpoints as endpoints } from '../../../../contract/tables/webhooks';
import type { Webhook, WebhookDeliveryDetails } from '../../../../contract/tables/webhooks';
import type { RecordFilter } from '../../../../contract/tables/recordFilter';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import { route } from '../../../http/route';
import type { ResponseOf, CallOf } from '../../../http/route';
import { refusalOf } from '../../../net/publicAddress';
import { actorOf, difference, record } from '../../audit';
import { DefinitionErrors } from '../schema';
import { siteModel } from '../core/model';
import type { SiteModel } from '../core/model';
import { Unsendable, makeBody, testBody } from './message';
import { withoutRules, webhookFilter } from './model';
import { newWebhookSecret } from '../../../kit/webhookSignature';
import { headersOf, post, sealSecret } from './post';
import * as queries from './queries';
import type { DeliveryRecord, WebhookRecord } from './queries';
import { conclude } from './sender';
import { deliveryResponse, webhookResponse } from './responses';
import { createThrottle } from '../../../kit/throttle';

type WebhookInput = {
  readonly name?: string | undefined;
  readonly url?: string | undefined;
  readonly events?: readonly string[] | undefined;
  readonly tables?: readonly string[] | null | undefined;
  readonly filter?: RecordFilter | null | undefined;
  readonly enabled?: boolean | undefined;
};
type WebhookColumns = Pick<WebhookRecord, 'name' | 'url' | 'events' | 'tableIds' | 'filter' | 'enabled'>;

/** A test is leased by the request that waits for it, so that no sender takes it. */
const testLease = 60_000;

/** For the audit log: only the host of the address, because the rest may contain a secret. */
const forAudit = (hook: WebhookColumns) => ({
  name: hook.name,
  receiver: new URL(hook.url).host,
  events: hook.events,
  tables: hook.tableIds,
  filtered: hook.filter,
  enabled: hook.enabled,
});

/** A webhook as stored: tables and fields by id, whatever name was given. Throws `invalid_fields` with all errors. */
function prepared(ctx: Context, model: SiteModel, input: WebhookInput, before: WebhookRecord | null): WebhookColumns {
  const errors = new DefinitionErrors();
  const url = input.url === undefined ? (before?.url ?? '') : checkedUrl(ctx, input.url, errors);
  const tableIds = input.tables === undefined ? (before?.tableIds ?? null) : tablesIn(input.tables);
  const filter = input.filter === undefined ? (before?.filter ?? null) : input.filter;
  function tablesIn(names: readonly string[] | null): string[] | null {
    if (names === null) return null;
    // A table that was deleted meanwhile may stay in the list.
    const ids = names.map((name) => model.byName.get(name)?.id ?? (before?.tableIds?.includes(name) === true ? name : null));
    if (ids.includes(null)) errors.add('tables', 'unknown');
    return [...new Set(ids.filter((id) => id !== null))];
  }
  function filterIn(filterInput: RecordFilter): RecordFilter {
    const [only, ...others] = tableIds ?? [];
    const table = only !== undefined && others.length === 0 ? model.byName.get(only) : undefined;
    if (table) return input.filter === undefined && input.tables === undefined ? filterInput : webhookFilter(model, table, filterInput, errors);
    if (only === undefined || others.length > 0) errors.add('filter', 'pattern');
    return filterInput;
  }
  const hookColumns: WebhookColumns = {
    name: input.name ?? before?.name ?? '',
    url,
    events: input.events === undefined ? (before?.events ?? []) : [...new Set(input.events)],
    tableIds,
    filter: filter === null ? null : filterIn(filter),
    enabled: input.enabled ?? before?.enabled ?? true,
  };
  errors.throwIfAny();
  return hookColumns;
}

function checkedUrl(ctx: Context, text: string, errors: DefinitionErrors): string {
  const refusal = refusalOf(new URL(text), ctx.config.privateWebhooks);
  if (refusal !== null) errors.add('url', refusal);
  return text;
}

/** Webhooks and their deliveries, for people who design the site's tables. */
export function registerWebhooks(app: FastifyInstance, ctx: Context): void {
  const throttle = createThrottle(ctx);
  route(app, ctx, endpoints.hooks, (call) => hooks(ctx, call));
  route(app, ctx, endpoints.hook, async ({ site, params }) => webhookOf(ctx, await find(ctx, site.id, params.hook)));
  route(app, ctx, endpoints.addHook, (call) => addHook(ctx, call));
  route(app, ctx, endpoints.changeHook, (call) => changeHook(ctx, call));
  route(app, ctx, endpoints.removeHook, (call) => removeHook(ctx, call));
  route(app, ctx, endpoints.restoreHook, (call) => restoreHook(ctx, call));
  route(app, ctx, endpoints.rotateHook, (call) => rotateHook(ctx, call));
  route(app, ctx, endpoints.testHook, (call) => testHook(ctx, call, throttle));
  route(app, ctx, endpoints.hookDeliveries, (call) => hookDeliveries(ctx, call));
  route(app, ctx, endpoints.hookDelivery, async ({ site, params }) => {
    const hook = await find(ctx, site.id, params.hook);
    return deliveryWithRequest(ctx, hook, siteOf(site), await deliveryOf(ctx, hook, params.delivery));
  });
  route(app, ctx, endpoints.replayDelivery, (call) => replayDelivery(ctx, call));
  route(app, ctx, endpoints.replayFailed, async ({ site, params, body }) => {
    const hook = await find(ctx, site.id, params.hook);
    if (!hook.enabled) fail('conflict');
    return { count: await queries.replayFailed(ctx.postgres.db, hook.id, new Date(body.since), new Date(ctx.now())) };
  });
}

const find = async (ctx: Context, siteId: string, id: string): Promise<WebhookRecord> =>
  (await queries.findWebhook(ctx.postgres.db, siteId, id)) ?? fail('not_found');
const webhookOf = async (ctx: Context, row: WebhookRecord): Promise<Webhook> =>
  webhookResponse(row, (await queries.figuresOf(ctx.postgres.db, row.siteId, row.id)).get(row.id));
const deliveryOf = async (ctx: Context, hook: WebhookRecord, id: string): Promise<DeliveryRecord> =>
  (await queries.findDelivery(ctx.postgres.db, hook.id, Number(id))) ?? fail('not_found');
const targetOf = ({ id, name }: { readonly id: string; readonly name: string }) => ({ kind: 'webhook', id, name });

async function hooks(ctx: Context, { site }: CallOf<typeof endpoints.hooks>): Promise<ResponseOf<typeof endpoints.hooks>> {
  const [rows, figures] = await Promise.all([queries.webhooksOf(ctx.postgres.db, site.id), queries.figuresOf(ctx.postgres.db, site.id)]);
  return rows.map((row) => webhookResponse(row, figures.get(row.id)));
}

/** Adds a webhook; its secret appears only in this response. Throws `conflict` if the site has the maximum number. */
async function addHook(ctx: Context, call: CallOf<typeof endpoints.addHook>): Promise<ResponseOf<typeof endpoints.addHook>> {
  const { site, body, session } = call;
  const hookColumns = prepared(ctx, withoutRules(await siteModel(ctx, site.id)), body, null);
  const secret = newWebhookSecret();
  const row = await ctx.postgres.withLock(`hooks ${site.id}`, () =>
    ctx.postgres.db.transaction(async (tx) => {
      if ((await queries.webhooksOf(tx, site.id)).length >= webhookLimits.hooks) fail('conflict');
      const inserted = await queries.insertWebhook(tx, {
        ...hookColumns,
        siteId: site.id,
        secret: sealSecret(ctx, secret),
        createdBy: session.userId,
        createdAt: new Date(ctx.now()),
      });
      await record(ctx, tx, actorOf(call), { action: 'webhook.added', siteId: site.id, target: targetOf(inserted), after: forAudit(inserted) });
      return inserted;
    }),
  );
  return { hook: webhookResponse(row), secret };
}

/** Throws `stale_revision` with the current webhook if others have changed it since. */
async function changeHook(ctx: Context, call: CallOf<typeof endpoints.changeHook>): Promise<ResponseOf<typeof endpoints.changeHook>> {
  const { site, body, params } = call;
  const revision = call.ifMatch();
  const model = withoutRules(await siteModel(ctx, site.id));
  const after = await ctx.postgres.db.transaction(async (tx) => {
    const before = (await queries.lockWebhook(tx, site.id, params.hook)) ?? fail('not_found');
    if (before.revision !== revision) fail('stale_revision', { current: await webhookOf(ctx, before) });
    const hookColumns = prepared(ctx, model, body, before);
    const changed = difference(forAudit(before), forAudit(hookColumns), ['name', 'receiver', 'events', 'tables', 'filtered', 'enabled']);
    const moved = before.url !== hookColumns.url;
    if (Object.keys(changed.after).length === 0 && !moved) return before;
    // Re-enabled or sent elsewhere: earlier failures no longer count.
    const fresh = (hookColumns.enabled && !before.enabled) || moved ? { offReason: null, offAt: null, failingSince: null } : {};
    const row = await queries.updateWebhook(tx, before.id, { ...hookColumns, ...fresh });
    await record(ctx, tx, actorOf(call), { action: 'webhook.changed', siteId: site.id, target: targetOf(row), ...changed });
    if (row.enabled) await queries.wakeSenders(tx);
    return row;
  });
  return webhookOf(ctx, after);
}

async function removeHook(ctx: Context, call: CallOf<typeof endpoints.removeHook>): Promise<void> {
  await ctx.postgres.db.transaction(async (tx) => {
    const row = (await queries.lockWebhook(tx, call.site.id, call.params.hook)) ?? fail('not_found');
    await queries.removal.store(ctx, tx, { siteId: row.siteId, id: row.id, by: call.session.userId });
    await queries.deleteWebhook(tx, row.id);
    await record(ctx, tx, actorOf(call), { action: 'webhook.removed', siteId: row.siteId, target: targetOf(row), before: forAudit(row) });
  });
}

/** Restores a webhook with its secret and its latest deliveries. Throws `conflict` if the site has the maximum number. */
async function restoreHook(ctx: Context, call: CallOf<typeof endpoints.restoreHook>): Promise<ResponseOf<typeof endpoints.restoreHook>> {
  const { site, params } = call;
  const restored = await ctx.postgres.withLock(`hooks ${site.id}`, () =>
    ctx.postgres.db.transaction(async (tx) => {
      if ((await queries.webhooksOf(tx, site.id)).length >= webhookLimits.hooks) fail('conflict');
      await queries.removal.restore(ctx, tx, { siteId: site.id, id: params.hook, by: call.session.userId });
      const row = (await queries.lockWebhook(tx, site.id, params.hook)) ?? fail('not_found');
      await record(ctx, tx, actorOf(call), { action: 'webhook.restored', siteId: row.siteId, target: targetOf(row), after: forAudit(row) });
      if (row.enabled) await queries.wakeSenders(tx);
      return row;
    }),
  );
  return webhookOf(ctx, restored);
}

/** Replaces a webhook's secret; with `keepOld` messages are signed with both for some hours. */
async function rotateHook(ctx: Context, call: CallOf<typeof endpoints.rotateHook>): Promise<ResponseOf<typeof endpoints.rotateHook>> {
  const secret = newWebhookSecret();
  const after = await ctx.postgres.db.transaction(async (tx) => {
    const before = (await queries.lockWebhook(tx, call.site.id, call.params.hook)) ?? fail('not_found');
    const { keepOld } = call.body;
    const row = await queries.updateWebhook(tx, before.id, {
      secret: sealSecret(ctx, secret),
      oldSecret: keepOld ? before.secret : null,
      oldSecretUntil: keepOld ? new Date(ctx.now() + webhookLimits.oldSecretHours * 3_600_000) : null,
    });
    await record(ctx, tx, actorOf(call), { action: 'webhook.changed', siteId: row.siteId, target: targetOf(row), after: { signing: 'renewed', keepOld } });
    return row;
  });
  return { hook: await webhookOf(ctx, after), secret };
}

/** A delivery with the request that was sent; a body too long to be stored is rebuilt. */
async function deliveryWithRequest(
  ctx: Context,
  hook: WebhookRecord,
  site: { id: string; name: string; timeZone: string },
  row: DeliveryRecord,
): Promise<WebhookDeliveryDetails> {
  const rebuilt = row.body === null && row.event !== 'test';
  const body = rebuilt
    ? await makeBody(ctx, site, hook, row).catch((error: unknown) => (error instanceof Unsendable ? null : Promise.reject(error as Error)))
    : row.body;
  const headers = headersOf(row, Math.floor((row.sentAt ?? row.at).getTime() / 1000));
  return { ...deliveryResponse(row), recordIds: row.recordIds, request: { url: hook.url, headers, body, rebuilt }, reply: row.reply };
}
const siteOf = ({ id, row }: { readonly id: string; readonly row: { readonly name: string; readonly timeZone: string } }) => ({
  id,
  name: row.name,
  timeZone: row.timeZone,
});

/** Sends a test message at once and returns the result. */
async function testHook(
  ctx: Context,
  { site, params, session }: CallOf<typeof endpoints.testHook>,
  throttle: ReturnType<typeof createThrottle>,
): Promise<ResponseOf<typeof endpoints.testHook>> {
  const hook = await find(ctx, site.id, params.hook);
  await throttle.limit(`table hook test ${hook.id}`, 60, 3600);
  const at = new Date(ctx.now());
  const own = { hookId: hook.id, siteId: site.id, tableId: '', event: 'test', recordIds: [], state: 'waiting' as const, attempts: 1, nextAt: at, at };
  const row = await queries.insertDelivery(ctx.postgres.db, { ...own, leaseUntil: new Date(at.getTime() + testLease) });
  const body = testBody(ctx, siteOf(site), row, { id: session.userId, name: session.displayName });
  await conclude(ctx, hook, row, body, await post(ctx, hook, row, body));
  return deliveryWithRequest(ctx, hook, siteOf(site), await deliveryOf(ctx, hook, String(row.id)));
}

/** A page of deliveries, newest first; `before` is the id where the last page ended. */
async function hookDeliveries(
  ctx: Context,
  { site, params, query }: CallOf<typeof endpoints.hookDeliveries>,
): Promise<ResponseOf<typeof endpoints.hookDeliveries>> {
  const hook = await find(ctx, site.id, params.hook);
  const { state, event, before, size } = query;
  const found = await queries.deliveriesOf(ctx.postgres.db, hook.id, {
    ...(state === undefined ? {} : { state }),
    ...(event === undefined ? {} : { event }),
    ...(before === undefined ? {} : { before: Number(before) }),
    size: size + 1,
  });
  const rows = found.slice(0, size).map(deliveryResponse);
  return { rows, next: found.length > size ? (rows.at(-1)?.id ?? null) : null };
}

/** Queues a delivery again. Throws `conflict` for a test, and while the webhook is off. */
async function replayDelivery(ctx: Context, { site, params }: CallOf<typeof endpoints.replayDelivery>): Promise<ResponseOf<typeof endpoints.replayDelivery>> {
  const hook = await find(ctx, site.id, params.hook);
  const row = await deliveryOf(ctx, hook, params.delivery);
  if (!hook.enabled || row.event === 'test') fail('conflict');
  await queries.replay(ctx.postgres.db, row.id, new Date(ctx.now()));
  return deliveryResponse(await deliveryOf(ctx, hook, params.delivery));
}
