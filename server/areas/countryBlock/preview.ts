import { verdictBounds } from '../../../contract/analytics/terms';
import { compileRule, countryOfPlace } from '../../../contract/countryBlock/rule';
import type { CountryPreview, CountryRule, CountryTest, countryBlockEndpoints as endpoints } from '../../../contract/countryBlock/schemas';
import { completeMeasuring } from '../../../contract/measuring/schemas';
import { torExits } from '../../../contract/countryBlock/codes';
import { countryBlockLimits } from '../../../contract/countryBlock/terms';
import { readAddress } from '../../collect/classify';
import { mayOnSite } from '../../../contract/permissions';
import type { Context } from '../../context';
import { failField } from '../../http/failure';
import type { CallOf } from '../../http/route';
import { addressesIn } from '../../net/readNetworks';
import { addDays, dayAt } from '../../zone';
import { queryContextFor, rangeOf, runQuery, scanOf, scopeFor, visitsOf } from '../analytics';
import { settingsOfSites } from '../measuring';
import { conversationPlaces } from '../support';
import { arrivalOf, warningsOf } from './diagnosis';
import { checkedRule } from './rules';
import { exitsFor, openNetworkOf, prepareRule } from './prepareRule';

type Row = Readonly<Record<'code' | 'region' | 'visits' | 'visitors' | 'pageViews' | 'conversions' | 'botVisits', string | number>>;

const unmeasured = { visits: 0, visitors: 0, pageViews: 0, conversions: 0, botVisits: 0 };

/** Conversations of customer service by country; null if the caller may not see them. */
async function conversationsOf(
  ctx: Context,
  { site, session }: Pick<CallOf<typeof endpoints.previewCountryRule>, 'site' | 'session'>,
  { start, end }: ReturnType<typeof rangeOf>,
): Promise<Map<string | null, number> | null> {
  if (!mayOnSite(site.role, 'support.read') || session.token?.scopes.includes('support:read') === false) return null;
  const found = new Map<string | null, number>();
  for (const { country, region, n } of await conversationPlaces(ctx, site.id, start, end)) {
    const code = countryOfPlace(country, region);
    found.set(code, (found.get(code) ?? 0) + n);
  }
  return found;
}

/** Exits that a preview compares with visits; Tor has about two thousand. They are sent in the address of the query, which may have a megabyte. */
const mostExits = 10_000;

/** The addresses of exits. The list has neighbours as one network; networks of more than 256 addresses are not compared. */
function addressesOf(networks: readonly string[]): string[] {
  const addresses: string[] = [];
  for (const network of networks) {
    if (addresses.length >= mostExits) break;
    addresses.push(...addressesIn(network, 256));
  }
  return addresses.slice(0, mostExits);
}

/** SQL of the country of a visit as the rule sees it, of addresses that the site stores whole: exits of Tor, if the rule names them. */
function codeSql(ctx: Context, rule: CountryRule): { readonly sql: string; readonly params: { readonly tor?: readonly string[] } } {
  const exits = addressesOf(exitsFor(rule, ctx.countries, ctx.now())?.networks ?? []);
  return exits.length === 0
    ? { sql: 'toString(country)', params: {} }
    : { sql: `if(ip_masked IN {tor:Array(String)}, '${torExits}', toString(country))`, params: { tor: exits } };
}

/** Whether the rule names exits of Tor, whose visits cannot be recognized: the site stores no whole addresses. */
async function isTorIgnored(ctx: Context, siteId: string, rule: CountryRule): Promise<boolean> {
  if (exitsFor(rule, ctx.countries, ctx.now()) === null) return false;
  return completeMeasuring((await settingsOfSites(ctx, [siteId])).get(siteId)).addresses !== 'whole';
}

/** Visits of the last 30 days by country, and which of them the rule would have refused. Conversions are those of all goals of the site. */
export async function previewRule(ctx: Context, call: CallOf<typeof endpoints.previewCountryRule>): Promise<CountryPreview> {
  const { site, session, reply, request } = call;
  const rule = checkedRule(call.body.rule);
  const { timeZone } = site.row;
  const to = dayAt(ctx.now(), timeZone);
  const from = addDays(to, 1 - countryBlockLimits.previewDays);
  const everybody = { filter: [], who: 'all', segment: [], with: ['goals'] } as const;
  const of = { id: site.id, timeZone };
  const range = rangeOf(from, to, timeZone);
  const scan = scanOf(of, everybody, await scopeFor(ctx, of, everybody, session), range);
  const { sql, params } = visitsOf(scan);
  const isPerson = `${scan.score ?? 'bot_score'} < ${String(verdictBounds.suspected)}`;
  const code = codeSql(ctx, rule);
  const found = await runQuery<Row>(
    queryContextFor(ctx, reply),
    `SELECT ${code.sql} AS code, if(code = 'CN' AND province IN ('CN-HK', 'CN-MO', 'CN-TW'), toString(province), '') AS region,
      countIf(${isPerson}) AS visits, uniqExactIf(visitor_id, ${isPerson}) AS visitors, sumIf(pv, ${isPerson}) AS pageViews,
      sumIf(${scan.goals?.converted ?? '0'}, ${isPerson}) AS conversions, countIf(NOT (${isPerson})) AS botVisits
    ${sql} GROUP BY code, region ORDER BY visits DESC, code`,
    { ...params, ...code.params },
  );
  const { allowsAllFrom } = compileRule({ ...rule, enabled: true });
  const refused = (country: string | null): boolean => !allowsAllFrom({ country, isPrivate: false, isOpen: false });
  const conversations = await conversationsOf(ctx, call, range);
  const rows = found.map((row) => {
    const country = countryOfPlace(String(row.code), String(row.region));
    return {
      country,
      visits: Number(row.visits),
      visitors: Number(row.visitors),
      pageViews: Number(row.pageViews),
      conversions: Number(row.conversions),
      conversations: conversations && (conversations.get(country) ?? 0),
      botVisits: Number(row.botVisits),
      refused: refused(country),
    };
  });
  const measured = new Set(rows.map(({ country }) => country));
  // Visitors who write are not always measured.
  for (const [country, n] of conversations ?? [])
    if (!measured.has(country)) rows.push({ ...unmeasured, country, conversations: n, refused: refused(country) });
  const warnings = await warningsOf(ctx, site.id, rule, arrivalOf(ctx, request), request);
  return { from, to, rows, networksIgnored: rule.openNetworks.length > 0, torIgnored: await isTorIgnored(ctx, site.id, rule), warnings };
}

/** What a rule decides about one request, as delivery would. */
export function testRule(ctx: Context, { body }: CallOf<typeof endpoints.testCountryRule>): CountryTest {
  const rule = checkedRule(body.rule);
  // As in a header of a proxy: brackets around IPv6, a port behind it.
  const written = body.address.replace(/^\[([^\]]+)\](?::\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  if (readAddress(written) === null) return failField('address', 'wrong_type');
  const decided = prepareRule(rule, ctx.countries).decide(
    { address: written, path: body.path.split(/[?#]/, 1)[0] ?? '/', isVerifiedBot: () => body.isVerifiedBot, passedChallenge: () => false },
    ctx.now(),
  );
  const network = decided.reason === 'open_network' ? openNetworkOf(rule.openNetworks, written, ctx.now()) : null;
  return { ...decided, network };
}
