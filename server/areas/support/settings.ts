import { and, count, eq, gt, or, sql } from 'drizzle-orm';
import { SupportSettingsInput, SupportTexts } from '../../../contract/support/settings';
import type { StoredSupportSettings } from '../../../contract/support/settings';
import { supportLimits } from '../../../contract/support/terms';
import type { Context } from '../../context';
import { availabilityOf } from './availability';
import type { Availability } from './availability';
import * as queries from './queries';
import type { Db } from './queries';
import { supportAgents, supportSettings } from './schema';

/** A site, as far as settings depend on it. */
export type SettingsSite = { readonly id: string; readonly timeZone: string; readonly defaultLang: string };

export const defaultSettings = (timeZone: string): StoredSupportSettings => {
  const { webhookSecret: _none, ...settings } = SupportSettingsInput.parse({ hours: { timeZone } });
  return settings;
};

/** Stored settings, with defaults for what was added since they were stored. */
export const completeSettings = (stored: StoredSupportSettings | null, timeZone: string): StoredSupportSettings => {
  if (stored === null) return defaultSettings(timeZone);
  const parsed = SupportSettingsInput.safeParse(stored);
  return parsed.success ? parsed.data : { ...defaultSettings(timeZone), ...stored };
};

/** Stores settings of a site that has none yet, for a site that the program sets up; the rest are the defaults. */
export async function installSupport(
  ctx: Pick<Context, 'postgres' | 'live'>,
  { id, timeZone }: Pick<SettingsSite, 'id' | 'timeZone'>,
  settings: Partial<StoredSupportSettings>,
): Promise<void> {
  await ctx.postgres.db
    .insert(supportSettings)
    .values({ siteId: id, settings: { ...defaultSettings(timeZone), ...settings } })
    .onConflictDoNothing();
  ctx.live.publish({ type: 'supportSettings', siteId: id });
}

/** Whether the widget has texts in a language. */
export async function hasSupportTexts({ postgres: { db } }: Pick<Context, 'postgres'>, siteId: string, tag: string): Promise<boolean> {
  const [row] = await db.select({ settings: supportSettings.settings }).from(supportSettings).where(eq(supportSettings.siteId, siteId));
  return Object.hasOwn(row?.settings?.texts ?? {}, tag);
}

/** Deletes the texts of the widget, and labels of its questions, in a language. */
export async function forgetSupportLanguage(ctx: Pick<Context, 'postgres' | 'live'>, siteId: string, tag: string): Promise<void> {
  const label = sql`jsonb_set(field, '{label}', (field -> 'label') - ${tag}::text)`;
  const texts = sql`jsonb_set(${supportSettings.settings}, '{texts}', (${supportSettings.settings} -> 'texts') - ${tag}::text)`;
  const fields = sql`(SELECT coalesce(jsonb_agg(${label} ORDER BY at), '[]') FROM jsonb_array_elements(${supportSettings.settings} #> '{prechat,fields}') WITH ORDINALITY list (field, at))`;
  await ctx.postgres.db
    .update(supportSettings)
    .set({ settings: sql`jsonb_set(${texts}, '{prechat,fields}', ${fields})`, revision: sql`${supportSettings.revision} + 1` })
    .where(
      and(
        eq(supportSettings.siteId, siteId),
        or(
          sql`jsonb_exists(${supportSettings.settings} -> 'texts', ${tag})`,
          sql`jsonb_path_exists(${supportSettings.settings}, '$.prechat.fields[*].label.keyvalue() ? (@.key == $tag)', jsonb_build_object('tag', ${tag}::text))`,
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

/** Texts in a language, else in the same language of another country or script, else in the site's default language; empty ones have a default in the widget. */
export function textsIn({ texts }: Pick<StoredSupportSettings, 'texts'>, language: string, defaultLang: string): SupportTexts {
  const same = Object.keys(texts).find((tag) => tag.split('-')[0] === language.split('-')[0]);
  const found = texts[language] ?? (same === undefined ? undefined : texts[same]) ?? texts[defaultLang];
  return found ?? SupportTexts.parse({});
}

export type EffectiveSettings = Availability & {
  readonly settings: StoredSupportSettings;
  readonly texts: SupportTexts;
  /** Changes with every change of the settings. */
  readonly revision: number;
};

/** What applies to visitors of a site who read a language: settings, texts, and whether somebody answers now. */
export async function effectiveSettings(ctx: Pick<Context, 'postgres' | 'now'>, site: SettingsSite, language: string): Promise<EffectiveSettings> {
  const { db } = ctx.postgres;
  const now = ctx.now();
  const [row, agentsOnline] = await Promise.all([queries.findSettings(db, site.id), countAgentsOnline(db, site.id, now)]);
  const settings = completeSettings(row?.settings ?? null, site.timeZone);
  const availability = availabilityOf(settings, { pausedUntil: row?.pausedUntil ?? null, agentsOnline, now });
  return { ...availability, settings, texts: textsIn(settings, language, site.defaultLang), revision: row?.revision ?? 0 };
}
