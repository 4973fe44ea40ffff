import { and, count, eq, gt, max, or, sql } from 'drizzle-orm';
import { textWithin } from '../../../contract/languages/fallback';
import { SupportSettingsInput, SupportTexts } from '../../../contract/support/settings';
import type { StoredSupportSettings, SupportTopic } from '../../../contract/support/settings';
import { supportLimits } from '../../../contract/support/terms';
import type { Context } from '../../context';
import { availabilityOf } from './availability';
import type { Availability } from './availability';
import * as queries from './queries';
import type { Db } from './queries';
import { supportAgents, supportSettings } from './schema';

export const defaultSettings = (timeZone: string): StoredSupportSettings => {
  const { webhookSecret: _none, ...settings } = SupportSettingsInput.parse({ hours: { timeZone } });
  return settings;
};

/** Topics were mere texts before they were translated. */
const withTopics = (stored: StoredSupportSettings): StoredSupportSettings => {
  const topics: readonly (SupportTopic | string)[] = stored.prechat?.topics ?? [];
  return { ...stored, prechat: { ...stored.prechat, topics: topics.map((topic) => (typeof topic === 'string' ? { name: topic, label: {} } : topic)) } };
};

/** Stored settings, with defaults for what was added since they were stored. */
export const completeSettings = (stored: StoredSupportSettings | null, timeZone: string): StoredSupportSettings => {
  if (stored === null) return defaultSettings(timeZone);
  const current = withTopics(stored);
  const parsed = SupportSettingsInput.safeParse(current);
  return parsed.success ? parsed.data : { ...defaultSettings(timeZone), ...current };
};

/** Stores settings of a site that has none yet, for a site that the program sets up; the rest are the defaults. */
export async function installSupport(
  ctx: Pick<Context, 'postgres' | 'live'>,
  { id, timeZone }: { readonly id: string; readonly timeZone: string },
  settings: Partial<StoredSupportSettings>,
): Promise<void> {
  await ctx.postgres.db
    .insert(supportSettings)
    .values({ siteId: id, settings: { ...defaultSettings(timeZone), ...settings } })
    .onConflictDoNothing();
  ctx.live.publish({ type: 'supportSettings', siteId: id });
  ctx.live.publish({ type: 'site', siteId: id, change: 'changed' });
}

/** Whether the widget has texts, or labels of its questions and topics, in a language. */
export async function hasSupportTexts(ctx: Pick<Context, 'postgres'>, siteId: string, tag: string): Promise<boolean> {
  const { texts, prechat } = (await readSettingsForVisitors(ctx, siteId)).settings;
  return Object.hasOwn(texts, tag) || [...prechat.fields, ...prechat.topics].some(({ label }) => Object.hasOwn(label, tag));
}

/** Deletes the texts of the widget, and labels of its questions and topics, in a language. A question of the site's own that has no other label goes with it: it would ask nothing. */
export async function forgetSupportLanguage(ctx: Pick<Context, 'postgres' | 'live'>, siteId: string, tag: string): Promise<void> {
  const label = sql`jsonb_set(field, '{label}', (field -> 'label') - ${tag}::text)`;
  const texts = sql`jsonb_set(${supportSettings.settings}, '{texts}', (${supportSettings.settings} -> 'texts') - ${tag}::text)`;
  const isNameless = sql`field ->> 'field' LIKE 'custom%' AND (field -> 'label') - ${tag}::text = '{}'`;
  const fields = sql`(SELECT coalesce(jsonb_agg(${label} ORDER BY at) FILTER (WHERE NOT (${isNameless})), '[]') FROM jsonb_array_elements(${supportSettings.settings} #> '{prechat,fields}') WITH ORDINALITY list (field, at))`;
  // Topics that were stored before they had labels are texts.
  const topics = sql`(SELECT coalesce(jsonb_agg(CASE WHEN jsonb_typeof(topic) = 'object' THEN jsonb_set(topic, '{label}', (topic -> 'label') - ${tag}::text) ELSE topic END ORDER BY at), '[]') FROM jsonb_array_elements(${supportSettings.settings} #> '{prechat,topics}') WITH ORDINALITY list (topic, at))`;
  await ctx.postgres.db
    .update(supportSettings)
    .set({
      settings: sql`jsonb_set(jsonb_set(${texts}, '{prechat,fields}', ${fields}), '{prechat,topics}', ${topics})`,
      revision: sql`${supportSettings.revision} + 1`,
    })
    .where(
      and(
        eq(supportSettings.siteId, siteId),
        or(
          sql`jsonb_exists(${supportSettings.settings} -> 'texts', ${tag})`,
          sql`jsonb_path_exists(${supportSettings.settings}, '$.prechat.*[*].label.keyvalue() ? (@.key == $tag)', jsonb_build_object('tag', ${tag}::text))`,
        ),
      ),
    );
  ctx.live.publish({ type: 'supportSettings', siteId });
}

/** Agents whose console is open and who are not away. */
export const countAgentsOnline = async (db: Db, siteId: string, now: number): Promise<number> =>
  (
    await db
      .select({ n: count() })
      .from(supportAgents)
      .where(
        and(
          eq(supportAgents.siteId, siteId),
          eq(supportAgents.status, 'available'),
          gt(supportAgents.seenAt, new Date(now - supportLimits.presence.gone * 1000)),
        ),
      )
  )[0]?.n ?? 0;

const textNames = Object.keys(SupportTexts.shape) as (keyof SupportTexts)[];

/** Each text in the first language of a chain that has it; empty ones have a default in the widget. */
export function textsIn({ texts }: Pick<StoredSupportSettings, 'texts'>, chain: readonly string[]): SupportTexts {
  const byName = (name: keyof SupportTexts) => Object.fromEntries(Object.entries(texts).map(([language, found]) => [language, found?.[name]]));
  return Object.fromEntries(textNames.map((name) => [name, textWithin(byName(name), chain) ?? ''])) as SupportTexts;
}

/** What the visitors of a site depend on, as it is stored. */
export type SettingsForVisitors = { readonly settings: StoredSupportSettings; readonly pausedUntil: Date | null };

/** A site that has stored nothing has no customer service, so that its time zone says nothing. */
export async function readSettingsForVisitors({ postgres }: Pick<Context, 'postgres'>, siteId: string): Promise<SettingsForVisitors> {
  const row = await queries.findSettings(postgres.db, siteId);
  return { settings: completeSettings(row?.settings ?? null, 'UTC'), pausedUntil: row?.pausedUntil ?? null };
}

/** When an available agent was last heard of, in epoch ms; 0: never. */
export async function readAgentsSeen({ postgres }: Pick<Context, 'postgres'>, siteId: string): Promise<number> {
  const [row] = await postgres.db
    .select({ at: max(supportAgents.seenAt) })
    .from(supportAgents)
    .where(and(eq(supportAgents.siteId, siteId), eq(supportAgents.status, 'available')));
  return row?.at?.getTime() ?? 0;
}

/** Whether visitors are answered now. `agentsSeen`: when an available agent was last heard of. */
export const availabilityNow = ({ settings, pausedUntil }: SettingsForVisitors, agentsSeen: number, now: number): Availability =>
  availabilityOf(settings, { pausedUntil, agentsOnline: now - agentsSeen < supportLimits.presence.gone * 1000 ? 1 : 0, now });
