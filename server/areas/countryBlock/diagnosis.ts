import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { compileRule } from '../../../contract/countryBlock/rule';
import type { AddressDiagnosis, CountryRule } from '../../../contract/countryBlock/schemas';
import { torExits } from '../../../contract/countryBlock/codes';
import type { RuleWarning } from '../../../contract/countryBlock/terms';
import { readAddress } from '../../collect/classify';
import type { Context } from '../../context';
import { clientAddress } from '../../http/address';
import { DAY, dayAt } from '../../zone';
import { isFiled } from '../filings';
import { databaseProblem, isTorListOld, prepareRule } from './prepareRule';

type Diagnosis = z.infer<typeof AddressDiagnosis>;

/** Hits of a day below which the share of one address says nothing. */
const fewestHits = 100;
const mostPrivate = 0.9;

/** A stored address without its masked part: `10.0.0.x`, `fd00::x`. */
const unmasked = (stored: string): string => stored.replace(/::x$/, '::').replaceAll('x', '0');

/** Share of the hits of a day that came from the private address with the most of them; null: too few hits, or ClickHouse does not answer. */
async function privateShare(ctx: Context, siteId: string): Promise<number | null> {
  const rows = await ctx.clickhouse
    .query<{ address: string; hits: string; total: string }>(
      `SELECT ip_masked AS address, count() AS hits, sum(count()) OVER () AS total FROM hits
      WHERE site_id = {site:String} AND at >= fromUnixTimestamp64Milli({since:Int64}) AND origin = 'script' GROUP BY address ORDER BY hits DESC LIMIT 100`,
      { params: { site: siteId, since: ctx.now() - DAY } },
    )
    .catch(() => []);
  const total = Number(rows[0]?.total ?? 0);
  if (total < fewestHits) return null;
  const fromPrivate = rows.filter(({ address }) => readAddress(unmasked(address))?.special === true).map(({ hits }) => Number(hits));
  return Math.max(0, ...fromPrivate) / total;
}

/** How a request of the console arrived here, without the share of private addresses, which costs a query. */
export function arrivalOf(ctx: Pick<Context, 'countries'>, request: FastifyRequest): Diagnosis {
  const address = clientAddress(request);
  const proxies = (request.ips?.length ?? 1) - 1;
  return {
    address,
    country: ctx.countries.database().countryOf(address),
    proxies,
    untrustedHeader: request.headers['x-forwarded-for'] !== undefined && proxies === 0,
    privateShare: null,
  };
}

/** How a request of the console arrived here, which tells whether addresses of visitors can be trusted. */
export async function diagnose(ctx: Context, siteId: string, request: FastifyRequest): Promise<Diagnosis> {
  return { ...arrivalOf(ctx, request), privateShare: await privateShare(ctx, siteId) };
}

/** Whether visitors from a country would notice the rule. */
export function refuses(rule: CountryRule, country: string | null): boolean {
  return rule.action !== 'log_only' && !compileRule(rule).allowsAllFrom({ country, isPrivate: false, isOpen: false });
}

/** What the author of a rule of a site should know before it acts. */
export async function warningsOf(ctx: Context, siteId: string, rule: CountryRule, diagnosis: Diagnosis, request: FastifyRequest): Promise<RuleWarning[]> {
  const { via, 'cf-ray': ray } = request.headers;
  const found: RuleWarning[] = [];
  if (diagnosis.untrustedHeader) found.push('proxy_untrusted');
  else if ((diagnosis.privateShare ?? 0) > mostPrivate) found.push('private_addresses');
  if (via !== undefined || ray !== undefined) found.push('behind_cache');
  const problem = databaseProblem(ctx.countries.database(), ctx.now());
  if (problem !== null) found.push(problem);
  if (!rule.enabled) return found;
  const tor = ctx.countries.tor();
  if (rule.countries.includes(torExits) && (tor === null || isTorListOld(tor, ctx.now()))) found.push(tor === null ? 'no_tor_list' : 'tor_list_old');
  const own = prepareRule(rule, ctx.countries).decide(
    { address: diagnosis.address, path: '/', isVerifiedBot: () => false, passedChallenge: () => false },
    ctx.now(),
  );
  if (own.action === 'block' || own.action === 'challenge') found.push('would_block_you');
  if (rule.bots === 'verified' && rule.action !== 'log_only') found.push('cloaking');
  if (rule.bots === 'off' && refuses(rule, 'US')) found.push('googlebot_us');
  if (refuses(rule, 'CN') && (await isFiled(ctx, siteId))) found.push('filing_cn');
  return found;
}

/** The UTC day on which the database was built; null: there is none. */
export const databaseDayOf = ({ builtAt }: { readonly builtAt: number | null }): string | null => (builtAt === null ? null : dayAt(builtAt, 'UTC'));
