import { verdictBounds } from '../../../contract/analytics/terms';
import { completeMeasuring } from '../../../contract/measuring/schemas';
import type { MeasuringInput, MeasuringSettings, RulesPreview } from '../../../contract/measuring/schemas';
import type { BotRules } from '../../../contract/measuring/schemas';
import { verdicts } from '../../../contract/measuring/schemas';
import type { Context } from '../../context';
import type { SiteAccess } from '../../http/access';
import { fail } from '../../http/failure';
import { tagFor } from '../analytics/install/check';
import { difference, record } from '../audit';
import type { Actor } from '../audit';
import { enqueue } from '../../worker';
import { annotate } from '../insights/annotate';
import * as queries from './queries';
import { decidingRuleSql, scoreSql } from './score';

type Site = SiteAccess['row'];
const auditedSettings = [
  'identity',
  'doNotTrack',
  'globalPrivacyControl',
  'addresses',
  'retentionDays',
  'searchParams',
  'hosts',
  'bots',
  'buckets',
  'cityFloor',
  'spam',
  'visits',
  'vitals',
] as const satisfies readonly (keyof MeasuringInput)[];

function settingsView(ctx: Context, site: Pick<Site, 'id' | 'identity'>, row: queries.SettingsRow | null): MeasuringSettings {
  const settings = completeMeasuring(row?.settings);
  return {
    ...settings,
    identity: site.identity,
    revision: row?.revision ?? 0,
    updatedAt: row?.updatedAt.toISOString() ?? null,
    tag: tagFor(ctx.config.publicUrl, site.id, site.identity, settings.globalPrivacyControl),
  };
}

export const settingsOf = async (ctx: Context, site: Pick<Site, 'id' | 'identity'>): Promise<MeasuringSettings> =>
  settingsView(ctx, site, await queries.findSettings(ctx.postgres.db, site.id));

/** Replaces the settings together with an audit log entry and, if figures may change, an annotation. Throws `stale_revision`. */
export async function changeSettings(ctx: Context, site: Site, revision: number, input: MeasuringInput, actor: Actor): Promise<MeasuringSettings> {
  const { identity, ...settings } = input;
  const now = new Date(ctx.now());
  const changed = await ctx.postgres.db.transaction(async (tx) => {
    const found = await queries.findSettings(tx, site.id);
    const before: MeasuringInput = { ...completeMeasuring(found?.settings), identity: site.identity };
    const row = await queries.writeSettings(tx, site.id, revision, settings, now);
    if (!row) return null;
    if (identity !== site.identity) await queries.setIdentity(tx, site.id, identity);
    const differs = difference(before, input, auditedSettings);
    await record(ctx, tx, actor, { action: 'measuring.changed', siteId: site.id, target: { kind: 'site', id: site.id, name: site.name }, ...differs });
    const note = (kind: 'identity_changed' | 'rules_changed' | 'visits_changed', values: Record<string, string> = {}): Promise<void> =>
      annotate(ctx, tx, site.id, { kind, values, timeZone: site.timeZone, author: actor.id });
    if (identity !== site.identity) await note('identity_changed', { before: site.identity, after: identity });
    if ('bots' in differs.after) await note('rules_changed');
    if ('visits' in differs.after) {
      await note('visits_changed');
      const job = { siteId: site.id, label: site.name, input: { visits: input.visits }, cancellable: false, createdBy: actor.id };
      await enqueue(ctx, 'analytics.rebuild', job, tx);
    }
    return settingsView(ctx, { id: site.id, identity }, row);
  });
  if (!changed) return fail('stale_revision', { current: await settingsOf(ctx, site) });
  // Received by the site index of every process.
  ctx.live.publish({ type: 'site', siteId: site.id, change: 'changed' });
  return changed;
}

const previewDays = 30;
/** 1 human, 2 suspected, 3 bot. */
const verdictSql = (score: string | undefined): string => {
  const value = score ?? 'bot_score';
  return `multiIf(${value} >= ${verdictBounds.bot}, 3, ${value} >= ${verdictBounds.suspected}, 2, 1)`;
};

export async function previewRules(ctx: Context, siteId: string, rules: BotRules): Promise<RulesPreview> {
  const found = await queries.findSettings(ctx.postgres.db, siteId);
  const end = ctx.now();
  const rows = await queries.movedVisits(
    ctx.clickhouse,
    siteId,
    { start: end - previewDays * 86_400_000, end },
    { was: verdictSql(scoreSql(completeMeasuring(found?.settings).bots)), becomes: verdictSql(scoreSql(rules)), rule: decidingRuleSql(rules) },
  );
  const name = (number: number) => verdicts[number - 1] ?? 'human';
  const tally = (pick: (row: queries.Moved) => number) => {
    const sums = { human: 0, suspected: 0, bot: 0 };
    for (const row of rows) sums[name(pick(row))] += Number(row.visits);
    return sums;
  };
  const moved = new Map<string, { from: (typeof verdicts)[number]; to: (typeof verdicts)[number]; visits: number }>();
  const byRule = rules.rules.map(() => 0);
  for (const row of rows) {
    const decides = Number(row.rule) - 1;
    if (decides >= 0) byRule[decides] = (byRule[decides] ?? 0) + Number(row.visits);
    if (row.was === row.becomes) continue;
    const [from, to] = [name(row.was), name(row.becomes)];
    const one = moved.get(from + to) ?? { from, to, visits: 0 };
    one.visits += Number(row.visits);
    moved.set(from + to, one);
  }
  return { now: tally((row) => row.was), then: tally((row) => row.becomes), moved: [...moved.values()], byRule };
}
