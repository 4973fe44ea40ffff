import { activeRule, prepareRule } from '../areas/countryBlock';
import type { PreparedRule } from '../areas/countryBlock';
import type { CountryRule } from '../../contract/countryBlock/schemas';
import { countryDatabase } from '../collect/classify';
import type { Context } from '../context';

/** A rule that is switched on. */
export type SiteRule = { readonly version: number; readonly rule: CountryRule; readonly decide: PreparedRule };
export type CountryRules = {
  /** null: the site has no rule that is switched on. */
  readonly of: (siteId: string) => SiteRule | null | Promise<SiteRule | null>;
  readonly close: () => void;
};

type Entry = { rule: SiteRule | null; readAt: number; stale: boolean; reading: Promise<SiteRule | null> | null };

/** In case an event was lost. */
const refreshEvery = 60_000;
/** After a failure, so that requests do not wait for PostgreSQL one after the other. */
const retryAfter = 5000;
/** Sites in memory; those that came first go first. A rule with 500 networks takes less than 100 kB. */
const mostSites = 2000;

/** Rules of sites in memory. A change acts with the next request of the process that learns of it; the last known rule holds while PostgreSQL does not answer. */
export function openCountryRules(ctx: Context): CountryRules {
  const entries = new Map<string, Entry>();
  const countries = countryDatabase(ctx.config.countryDatabase);

  async function read(siteId: string): Promise<SiteRule | null> {
    const found = await activeRule(ctx, siteId);
    return found?.rule.enabled === true ? { ...found, decide: prepareRule(found.rule, countries) } : null;
  }
  function refreshed(siteId: string, entry: Entry): Promise<SiteRule | null> {
    entry.reading ??= (async () => {
      entry.stale = false;
      try {
        entry.rule = await read(siteId);
        entry.readAt = ctx.now();
      } catch (error) {
        entry.readAt = ctx.now() - refreshEvery + retryAfter;
        ctx.log.warn('A country rule could not be read; the one before stays in use', { siteId, error });
      } finally {
        entry.reading = null;
      }
      return entry.rule;
    })();
    return entry.reading;
  }
  const stop = ctx.live.subscribe((event) => {
    const entry = event.type === 'countryBlock' ? entries.get(event.siteId) : undefined;
    if (entry) entry.stale = true;
  });

  return {
    of(siteId) {
      const known = entries.get(siteId);
      const entry = known ?? { rule: null, readAt: -Infinity, stale: true, reading: null };
      if (!known) {
        entries.set(siteId, entry);
        const [oldest] = entries.keys();
        if (entries.size > mostSites && oldest !== undefined) entries.delete(oldest);
      }
      return !entry.stale && ctx.now() - entry.readAt < refreshEvery ? entry.rule : refreshed(siteId, entry);
    },
    close: stop,
  };
}
