import type { FastifyInstance } from 'fastify';
import { digestEndpoints as endpoints } from '../../../contract/digests/schemas';
import type { Digests } from '../../../contract/digests/schemas';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import { route } from '../../http/route';
import type { CallOf } from '../../http/route';
import { mailWorks } from '../../mail';
import { actorOf, record } from '../audit';
import type { Actor } from '../audit';
import { countHearers } from '../contacts';
import { countReaders } from '../notices';
import { digestNotice, duePeriod, todayOf } from './notices';
import * as queries from './queries';
import type { SettingsRecord } from './queries';
import { sendDigest, sendDigests } from './sending';
import type { Area } from '../area';

/** Eight in the morning, before people look at reports themselves. */
const defaultHour = 8;
const sentShown = 50;

const facts = (settings: Pick<SettingsRecord, 'weeklySince' | 'monthlySince' | 'hour' | 'rules'>) => ({
  weekly: settings.weeklySince !== null,
  monthly: settings.monthlySince !== null,
  hour: settings.hour,
  rules: settings.rules.map((rule) => `${rule.measure} ${rule.window} ${rule.direction} ${rule.percent} ${rule.least}`).join(', '),
});

const unmade = (siteId: string): SettingsRecord => ({ siteId, weeklySince: null, monthlySince: null, hour: defaultHour, rules: [], revision: 0 });

/** Sets the digests and alerts of a site. False if they have another revision than `revision`; 0 means that none have been stored yet. */
export async function changeDigests(
  ctx: Context,
  site: { readonly id: string; readonly name: string },
  change: CallOf<typeof endpoints.changeDigests>['body'],
  revision: number,
  actor: Actor,
): Promise<boolean> {
  const now = new Date(ctx.now());
  return ctx.postgres.db.transaction(async (tx) => {
    const before = (await queries.findSettings(tx, site.id)) ?? unmade(site.id);
    const next = {
      siteId: site.id,
      // A report that was already enabled keeps its date.
      weeklySince: change.weekly ? (before.weeklySince ?? now) : null,
      monthlySince: change.monthly ? (before.monthlySince ?? now) : null,
      hour: change.hour,
      rules: change.rules,
    };
    if (!(await queries.putSettings(tx, next, revision))) return false;
    await record(ctx, tx, actor, {
      action: 'digest.changed',
      target: { kind: 'site', ...site },
      siteId: site.id,
      before: facts(before),
      after: facts(next),
    });
    return true;
  });
}

function register(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;
  async function digestsOf(siteId: string): Promise<Digests> {
    const [settings, sent, people, report, traffic] = await Promise.all([
      queries.findSettings(db, siteId),
      queries.latestSent(db, siteId, sentShown),
      countReaders(ctx, 'alert', siteId),
      countHearers(ctx, db, 'report', siteId),
      countHearers(ctx, db, 'traffic', siteId),
    ]);
    const now = settings ?? unmade(siteId);
    return {
      weekly: now.weeklySince !== null,
      monthly: now.monthlySince !== null,
      hour: now.hour,
      rules: now.rules,
      hearers: { report, traffic },
      people,
      mail: mailWorks(ctx.config),
      sent: sent.map(({ id, kind, period, at, sent: messages, rule, value, usual }) => ({
        id: String(id),
        kind,
        period,
        at: at.toISOString(),
        sent: messages,
        rule,
        value,
        usual,
      })),
      revision: now.revision,
    };
  }

  route(app, ctx, endpoints.digests, ({ site }) => digestsOf(site.id));

  route(app, ctx, endpoints.changeDigests, async (call) => {
    const { site, body, ifMatch } = call;
    const written = await changeDigests(ctx, { id: site.id, name: site.row.name }, body, ifMatch(), actorOf(call));
    return written ? digestsOf(site.id) : fail('stale_revision', { current: await digestsOf(site.id) });
  });

  route(app, ctx, endpoints.previewDigest, async ({ site, query, locale }) => {
    const { period } = duePeriod(query.kind, todayOf(ctx, site.row));
    const { subject, paragraphs, facts: lines } = (await digestNotice(ctx, site.row, query.kind, period))(locale);
    return { subject, paragraphs, facts: [...(lines ?? [])] };
  });

  route(app, ctx, endpoints.sendDigest, async ({ site, body }) => ({ sent: (await sendDigest(ctx, site.row, body.kind, true)) ?? 0 }));
}

export const area: Area = { register, schedules: [{ name: 'digests.send', every: 5 * 60_000, run: sendDigests }] };
