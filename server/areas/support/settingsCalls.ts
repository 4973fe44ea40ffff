import { eq } from 'drizzle-orm';
import type { SupportOverview } from '../../../contract/support/conversations';
import type { supportEndpoints as endpoints } from '../../../contract/support/schemas';
import type { StoredSupportSettings, SupportSettings } from '../../../contract/support/settings';
import type { Context } from '../../context';
import type { SiteAccess } from '../../http/access';
import { fail, failField } from '../../http/failure';
import { requireProof } from '../../http/route';
import type { CallOf, ResponseOf } from '../../http/route';
import { mailWorks, postNow } from '../../mail';
import type { WebhookMessage } from '../../mail';
import { refusalOf } from '../../net/publicAddress';
import { isTimeZone } from '../../../contract/timeZone';
import { DAY } from '../../zone';
import { actorOf, difference, record } from '../audit';
import { countHearers } from '../contacts';
import { listAgents } from './agents';
import { availabilityOf } from './availability';
import { countLists, tagsOf } from './lists';
import { supportTexts } from './texts';
import * as queries from './queries';
import type { SettingsRow } from './queries';
import { supportSettings } from './schema';
import { completeSettings, countAgentsOnline } from './settings';

/** The longest pause. */
const longestPause = 30 * DAY;

/**
 * Settings as the audit log records them: the external code by its length, because it may contain anything, and only the host of the webhook's address, because
 * the rest may be a secret.
 */
const facts = ({ externalCode, notify, ...settings }: StoredSupportSettings) => ({
  ...settings,
  externalBytes: Buffer.byteLength(externalCode),
  notify: { ...notify, webhook: notify.webhook && { kind: notify.webhook.kind, host: new URL(notify.webhook.url).host } },
});

async function settingsOf(ctx: Context, { id, row: site }: SiteAccess, row: SettingsRow | null): Promise<SupportSettings> {
  return {
    ...completeSettings(row?.settings ?? null, site.timeZone),
    hasWebhookSecret: row !== null && row.webhookSecret !== null,
    recipients: await countHearers(ctx, ctx.postgres.db, 'support', id),
    mail: mailWorks(ctx.config),
    revision: row?.revision ?? 0,
  };
}

export const readSettings = async (ctx: Context, site: SiteAccess): Promise<SupportSettings> =>
  settingsOf(ctx, site, await queries.findSettings(ctx.postgres.db, site.id));

function check(ctx: Context, next: StoredSupportSettings, before: StoredSupportSettings): void {
  if (!isTimeZone(next.hours.timeZone)) failField('hours.timeZone', 'not_a_time_zone');
  const { webhook } = next.notify;
  const refusal = webhook === null || webhook.url === before.notify.webhook?.url ? null : refusalOf(new URL(webhook.url), ctx.config.privateWebhooks);
  if (refusal !== null) failField('notify.webhook.url', refusal);
  if (next.mode === 'external' && next.externalCode.trim() === '') failField('externalCode', 'required');
}

/** Code of an external service runs in the pages of the site as it is: changing it, or putting it to use, needs a proof. */
export async function changeSettings(ctx: Context, call: CallOf<typeof endpoints.changeSupportSettings>): Promise<SupportSettings> {
  const { site, session, body, ifMatch } = call;
  const { webhookSecret, ...next } = body;
  const { db } = ctx.postgres;
  const { row, isMoved } = await db.transaction(async (tx) => {
    await tx.insert(supportSettings).values({ siteId: site.id, revision: 0 }).onConflictDoNothing();
    const [stored] = await tx.select().from(supportSettings).where(eq(supportSettings.siteId, site.id)).for('update');
    if (!stored) throw new Error('PostgreSQL returned no row');
    const before = completeSettings(stored.settings, site.row.timeZone);
    if (stored.revision !== ifMatch()) fail('stale_revision', { current: await settingsOf(ctx, site, stored) });
    check(ctx, next, before);
    if (next.externalCode !== before.externalCode || (next.mode === 'external' && before.mode !== 'external')) requireProof(ctx, session);
    const sealed = webhookSecret === undefined ? stored.webhookSecret : webhookSecret === '' ? null : ctx.secrets.seal('support webhook', webhookSecret);
    const [changed] = await tx
      .update(supportSettings)
      .set({ settings: next, webhookSecret: next.notify.webhook === null ? null : sealed, revision: stored.revision + 1 })
      .where(eq(supportSettings.siteId, site.id))
      .returning();
    const [from, to] = [facts(before), facts(next)];
    await record(ctx, tx, actorOf(call), {
      action: 'support.settings_changed',
      siteId: site.id,
      target: { kind: 'site', id: site.id, name: site.row.name },
      ...difference(from, to, Object.keys(to) as (keyof typeof to)[]),
    });
    return { row: changed ?? fail('not_found'), isMoved: next.mode !== before.mode };
  });
  ctx.live.publish({ type: 'supportSettings', siteId: site.id });
  // The list of sites says whether a site has customer service.
  if (isMoved) ctx.live.publish({ type: 'site', siteId: site.id, change: 'changed' });
  return settingsOf(ctx, site, row);
}

/** Visitors find nobody until then, as outside the hours. */
export async function pause(ctx: Context, call: CallOf<typeof endpoints.pauseSupport>): Promise<ResponseOf<typeof endpoints.pauseSupport>> {
  const { site, body } = call;
  const pausedUntil = body.until === null ? null : new Date(body.until);
  if (pausedUntil !== null && pausedUntil.getTime() <= ctx.now()) failField('until', 'too_soon');
  if (pausedUntil !== null && pausedUntil.getTime() > ctx.now() + longestPause) failField('until', 'out_of_range');
  await ctx.postgres.db.transaction(async (tx) => {
    await tx
      .insert(supportSettings)
      .values({ siteId: site.id, pausedUntil, revision: 0 })
      .onConflictDoUpdate({ target: supportSettings.siteId, set: { pausedUntil } });
    await record(ctx, tx, actorOf(call), {
      action: 'support.paused',
      siteId: site.id,
      target: { kind: 'site', id: site.id, name: site.row.name },
      after: { until: body.until },
    });
  });
  ctx.live.publish({ type: 'supportSettings', siteId: site.id });
  return { pausedUntil: pausedUntil?.toISOString() ?? null };
}

/** What the list of conversations begins with. */
export async function readOverview(ctx: Context, { site, session }: CallOf<typeof endpoints.support>): Promise<SupportOverview> {
  const { db } = ctx.postgres;
  const now = ctx.now();
  // Read before the counts: what changes meanwhile is read again.
  const change = await queries.currentChange(db, site.id);
  const [row, agents, lists, tags, agentsOnline] = await Promise.all([
    queries.findSettings(db, site.id),
    listAgents(ctx, site.id),
    countLists(db, site.id, session.userId),
    tagsOf(db, site.id),
    countAgentsOnline(db, site.id, now),
  ]);
  const settings = completeSettings(row?.settings ?? null, site.row.timeZone);
  const { open, reason, changesAt } = availabilityOf(settings, { pausedUntil: row?.pausedUntil ?? null, agentsOnline, now });
  const isPaused = row !== null && row.pausedUntil !== null && row.pausedUntil.getTime() > now;
  return {
    mode: settings.mode,
    open,
    awayReason: reason,
    pausedUntil: isPaused ? (row.pausedUntil?.toISOString() ?? null) : null,
    changesAt: changesAt === null ? null : new Date(changesAt).toISOString(),
    ...lists,
    replyMinutes: settings.replyMinutes,
    agents,
    tags,
    delivered: site.row.purpose !== 'external',
    snippet: `<script defer src="${ctx.config.publicUrl}/_cs/w.js" data-site="${site.id}"></script>`,
    change,
  };
}

/** The message of a site's webhook. null: it has none. */
export function webhookMessage(
  ctx: Pick<Context, 'secrets'>,
  row: SettingsRow,
  content: Pick<WebhookMessage, 'topic' | 'event' | 'subject' | 'text' | 'site' | 'link'>,
): WebhookMessage | null {
  const webhook = row.settings?.notify.webhook ?? null;
  if (webhook === null) return null;
  const secret = row.webhookSecret === null ? '' : ctx.secrets.open('support webhook', row.webhookSecret);
  return { ...content, url: webhook.url, secret, ...(webhook.kind !== 'json' && { robot: webhook.kind }) };
}

export async function testWebhook(
  ctx: Context,
  { site, locale }: CallOf<typeof endpoints.testSupportWebhook>,
): Promise<ResponseOf<typeof endpoints.testSupportWebhook>> {
  const row = await queries.findSettings(ctx.postgres.db, site.id);
  const t = supportTexts[locale].test;
  const content = { topic: 'support', subject: t.subject(site.row.name), text: t.text, site: { id: site.id, name: site.row.name } };
  const message = row && webhookMessage(ctx, row, { ...content, link: `${ctx.config.publicUrl}/site/${site.id}/cs` });
  return message ? postNow(ctx, message) : fail('conflict');
}
