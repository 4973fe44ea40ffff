import type { FastifyInstance } from 'fastify';
import { digestEndpoints as endpoints } from '../../../contract/digests/schemas';
import type { Digests } from '../../../contract/digests/schemas';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import { route } from '../../http/route';
import { mailWorks } from '../../mail';
import { actorOf, record } from '../audit';
import { countHearers } from '../contacts';
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

function register(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;
  const unmade = (siteId: string): SettingsRecord => ({ siteId, weeklySince: null, monthlySince: null, hour: defaultHour, rules: [], revision: 0 });

  async function digestsOf(siteId: string): Promise<Digests> {
    const [settings, sent, report, traffic] = await Promise.all([
      queries.findSettings(db, siteId),
      queries.latestSent(db, siteId, sentShown),
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
    const revision = ifMatch();
    const now = new Date(ctx.now());
    const written = await db.transaction(async (tx) => {
      const before = (await queries.findSettings(tx, site.id)) ?? unmade(site.id);
      const next = {
        siteId: site.id,
        // A report that was already enabled keeps its date.
        weeklySince: body.weekly ? (before.weeklySince ?? now) : null,
        monthlySince: body.monthly ? (before.monthlySince ?? now) : null,
        hour: body.hour,
        rules: body.rules,
      };
      if (!(await queries.putSettings(tx, next, revision))) return false;
      await record(ctx, tx, actorOf(call), {
        action: 'digest.changed',
        target: { kind: 'site', id: site.id, name: site.row.name },
        siteId: site.id,
        before: facts(before),
        after: facts(next),
      });
      return true;
    });
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
