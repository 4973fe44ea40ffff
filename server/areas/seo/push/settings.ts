import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import { isIndexed } from '../../../../contract/sites/terms';
import { pushEngines } from '../../../../contract/seo/terms';
import type { PushEngine } from '../../../../contract/seo/terms';
import type { PushStatus, PushTest, pushEndpoints as endpoints } from '../../../../contract/seo/pushSchemas';
import type { Context } from '../../../context';
import { fail, failField } from '../../../http/failure';
import type { CallOf } from '../../../http/route';
import { dayAt, dayStart } from '../../../zone';
import { actorOf, difference, record } from '../../audit';
import { readIndexedSite } from '../../sites';
import { callEngine } from './engines';
import * as queries from './queries';
import type { PushSettingsRow } from './queries';
import { dueAt } from './due';
import { afterCall, callOf, remainingNow, sealPurpose } from './sender';

type Site = CallOf<typeof endpoints.pushSettings>['site'];

export const isOn = (settings: PushSettingsRow, engine: PushEngine): boolean => settings[engine];

export async function pushStatus(ctx: Context, site: Site): Promise<z.input<typeof PushStatus>> {
  const { db } = ctx.postgres;
  const today = new Date(dayStart(dayAt(ctx.now(), site.row.timeZone), site.row.timeZone));
  const [found, engines, counts, indexed] = await Promise.all([
    queries.findSettings(db, site.id),
    queries.listEngines(db, site.id),
    queries.countByEngine(db, site.id, today),
    readIndexedSite(ctx, site.id),
  ]);
  const settings = found ?? queries.noPush(site.id);
  const origin = indexed?.origin ?? null;
  return {
    indexnow: settings.indexnow,
    baidu: settings.baidu,
    baiduSite: settings.baiduSite,
    hasToken: settings.baiduToken !== null,
    automatic: settings.automatic,
    keyUrl: settings.indexnow && settings.indexnowKey !== null && origin !== null ? `${origin}/${settings.indexnowKey}.txt` : null,
    indexed: isIndexed(site.row),
    engines: pushEngines.map((engine) => {
      const row = engines.find((one) => one.engine === engine);
      const isWaiting = row?.pausedUntil != null && row.pausedUntil.getTime() > ctx.now();
      return {
        engine,
        on: isOn(settings, engine),
        waiting: counts.find((one) => one.engine === engine)?.waiting ?? 0,
        sentToday: counts.find((one) => one.engine === engine)?.sentToday ?? 0,
        remaining: row ? remainingNow(row, ctx.now()) : null,
        problem: row && (row.stopped || isWaiting) ? row.problem : null,
        pausedUntil: isWaiting ? (row.pausedUntil?.toISOString() ?? null) : null,
      };
    }),
    nextScanAt: isIndexed(site.row) ? ((await dueAt(ctx, settings))?.toISOString() ?? null) : null,
  };
}

/** The settings as recorded in the audit log. */
const factsOf = ({ indexnow, baidu, baiduSite, automatic }: PushSettingsRow) => ({ indexnow, baidu, baiduSite, automatic });
const factKeys = ['indexnow', 'baidu', 'baiduSite', 'automatic'] as const;

/** Stores the settings; what waits at an engine that had stopped is sent again. Throws `invalid_fields` and `not_delivered`. */
export async function changePushSettings(ctx: Context, call: CallOf<typeof endpoints.changePushSettings>): Promise<z.input<typeof PushStatus>> {
  const { site, body } = call;
  if (site.row.purpose !== 'built') fail('not_delivered');
  await ctx.postgres.db.transaction(async (tx) => {
    const before = (await queries.findSettings(tx, site.id)) ?? queries.noPush(site.id);
    const token = body.baiduToken === null ? before.baiduToken : body.baiduToken === '' ? null : ctx.secrets.seal(sealPurpose, body.baiduToken);
    const baiduSite = body.baiduSite.replace(/\/$/, '');
    if (body.baidu && baiduSite === '') failField('baiduSite', 'required');
    if (body.baidu && token === null) failField('baiduToken', 'required');
    const isOnNow = body.indexnow || body.baidu;
    // What changed while nothing was pushed is not pushed afterwards.
    const continues = isOnNow && before.enabledAt !== null && body.automatic && before.automatic;
    const after: PushSettingsRow = {
      ...before,
      indexnow: body.indexnow,
      indexnowKey: before.indexnowKey ?? (body.indexnow ? randomBytes(16).toString('hex') : null),
      baidu: body.baidu,
      baiduSite,
      baiduToken: token,
      automatic: body.automatic,
      enabledAt: continues ? before.enabledAt : isOnNow ? new Date(ctx.now()) : null,
      scannedAt: continues ? before.scannedAt : null,
      scanQueuedAt: continues ? before.scanQueuedAt : null,
    };
    await queries.saveSettings(tx, after);
    for (const engine of pushEngines) await queries.resetEngine(tx, site.id, engine);
    const { before: was, after: is } = difference(factsOf(before), factsOf(after), factKeys);
    const target = { kind: 'site', id: site.id, name: site.row.name };
    await record(ctx, tx, actorOf(call), { action: 'seo.push_changed', siteId: site.id, target, before: was, after: is });
  });
  ctx.live.publish({ type: 'seo', siteId: site.id, change: 'proofs' });
  await ctx.postgres.notify(queries.pushChannel, '');
  return pushStatus(ctx, site);
}

/** The settings and the main address of a site that pushes to an engine. Throws `conflict` if it does not, `not_delivered` if it is hosted elsewhere. */
export async function pushTarget(ctx: Context, site: Site, engine: PushEngine) {
  const [settings, indexed] = await Promise.all([queries.findSettings(ctx.postgres.db, site.id), readIndexedSite(ctx, site.id)]);
  if (!indexed || indexed.origin === null) return fail('not_delivered');
  if (settings === null || !isOn(settings, engine)) return fail('conflict');
  return { settings, origin: indexed.origin, hosts: new Set([new URL(indexed.origin).hostname, ...indexed.hostnames.keys()]) };
}

/** Pushes the home page at once, whatever waits, and returns the response of the engine. A success lets what waits be sent again. */
export async function testPush(ctx: Context, { site, body }: CallOf<typeof endpoints.testPush>): Promise<z.input<typeof PushTest>> {
  const { db } = ctx.postgres;
  const { settings, origin } = await pushTarget(ctx, site, body.engine);
  const address = `${origin}/`;
  const call = callOf(ctx, settings, body.engine, [address]) ?? fail('conflict');
  const outcome = await callEngine(ctx.config, call, AbortSignal.timeout(60_000), ctx.now());
  const { status, remaining } = outcome;
  const reason = outcome.failure ?? outcome.refused.get(address) ?? null;
  if (reason === null) await queries.resetEngine(db, site.id, body.engine);
  const row = (await queries.listEngines(db, site.id)).find(({ engine }) => engine === body.engine);
  if (row && remaining !== null) await queries.setRemaining(db, row, afterCall(row, outcome, 1, ctx.now()));
  await ctx.postgres.notify(queries.pushChannel, '');
  ctx.live.publish({ type: 'seo', siteId: site.id, change: 'pushes' });
  return { ok: reason === null, address, status, reason, remaining };
}
