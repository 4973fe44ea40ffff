import { activeRule, prepareRule } from '../areas/countryBlock';
import type { PreparedRule } from '../areas/countryBlock';
import type { CountryRule } from '../../contract/countryBlock/schemas';
import type { Context } from '../context';
import { openSiteCache } from './siteCache';
import type { SiteCache } from './siteCache';

/** A rule that is switched on. */
export type SiteRule = { readonly version: number; readonly rule: CountryRule; readonly prepared: PreparedRule };
/** null: the site has no rule that is switched on. */
export type CountryRules = SiteCache<SiteRule | null>;

/** A rule with 500 networks takes less than 100 kB. */
const mostSites = 2000;

/** A change acts with the next request of the process that learns of it. */
export function openCountryRules(ctx: Context): CountryRules {
  return openSiteCache<SiteRule | null>(ctx, {
    name: 'country rule',
    event: 'countryBlock',
    mostSites,
    async read(siteId) {
      const found = await activeRule(ctx, siteId);
      return found?.rule.enabled === true ? { ...found, prepared: prepareRule(found.rule, ctx.countries) } : null;
    },
    fallback: null,
  });
}
