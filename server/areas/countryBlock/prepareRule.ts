import { compileRule } from '../../../contract/countryBlock/rule';
import type { CompiledRule, Decision, Origin } from '../../../contract/countryBlock/rule';
import type { CountryRule } from '../../../contract/countryBlock/schemas';
import { torExits } from '../../../contract/countryBlock/codes';
import { countryBlockLimits } from '../../../contract/countryBlock/terms';
import type { DatabaseProblem } from '../../../contract/countryBlock/terms';
import { readAddress } from '../../collect/classify';
import type { Countries, CountryDatabase, TorExits } from '../../collect/classify';
import { createRecentMap } from '../../collect/classify/lru';
import { networkFinder } from '../../net/networks';
import { readNetworks } from '../../net/readNetworks';
import { DAY } from '../../zone';

/** A request as a rule sees it. The last two are evaluated only where the rule needs them. */
export type RuleRequest = {
  /** Of the visitor, as a socket or a trusted proxy wrote it. */
  readonly address: string;
  /** Without its query. */
  readonly path: string;
  readonly isVerifiedBot: () => boolean;
  readonly passedChallenge: (country: string | null) => boolean;
};
export type RuleDecision = Decision & {
  /** Without brackets and zone, IPv4 within IPv6 as IPv4. */
  readonly address: string;
  readonly country: string | null;
};
/** Times are epoch ms. */
export type PreparedRule = {
  /** Whether the rule allows all requests from an address, so that nothing else about a request needs to be read. The answer is remembered. */
  readonly allowsAllFrom: (address: string, now: number) => boolean;
  readonly decide: (request: RuleRequest, now: number) => RuleDecision;
};

/** Why countries cannot be determined; null: they can. */
export function databaseProblem({ builtAt }: CountryDatabase, now: number): DatabaseProblem | null {
  if (builtAt === null) return 'no_database';
  return now - builtAt > countryBlockLimits.databaseDays * DAY ? 'database_old' : null;
}

/** Whether the list of exits of Tor is too old to be used. */
export const isTorListOld = ({ at }: Pick<TorExits, 'at'>, now: number): boolean => now - at > countryBlockLimits.torDays * DAY;

/** What a rule decides by. */
export type CountrySource = Pick<Countries, 'database' | 'tor'>;

/** The exits of Tor by which a rule decides; null: it does not name them, or there is no list that is new enough. */
export function exitsFor(rule: Pick<CountryRule, 'countries'>, countries: Pick<Countries, 'tor'>, now: number): TorExits | null {
  const tor = rule.countries.includes(torExits) ? countries.tor() : null;
  return tor === null || isTorListOld(tor, now) ? null : tor;
}

/** The country of an address as a rule sees it: `T1` for exits of Tor, if the rule names them and they are known. */
export const countryFor = (rule: Pick<CountryRule, 'countries'>, countries: CountrySource, address: string, now: number): string | null =>
  exitsFor(rule, countries, now)?.contains(address) === true ? torExits : countries.database().countryOf(address);

type OpenNetworks = CountryRule['openNetworks'];
const expiryOf = ({ expiresAt }: OpenNetworks[number]): number => (expiresAt === null ? Infinity : Date.parse(expiresAt));

/** Those that are open at a time, and until when that is true. */
function openFinder(networks: OpenNetworks, now: number): { readonly contains: ReturnType<typeof networkFinder>; readonly until: number } {
  const open = networks.filter((one) => expiryOf(one) > now);
  return {
    contains: networkFinder(readNetworks(open.map(({ network }) => network).join('\n'), 0).networks),
    until: Math.min(Infinity, ...open.map(expiryOf)),
  };
}

/** The network of a rule that leaves an address open; null: none. */
export const openNetworkOf = (networks: OpenNetworks, address: string, now: number): string | null => {
  const read = readAddress(address);
  return (read && networks.find((one) => openFinder([one], now).contains(read.text, read.family === 4 ? 'ipv4' : 'ipv6'))?.network) ?? null;
};

/** An address as a rule sees it. `text`: the address in its shortest form. `isAllowed`: whether the rule allows all requests from it. */
type KnownOrigin = Origin & { readonly text: string; readonly isAllowed: boolean };
/** A visitor requests a page and its files from the same address. */
const mostRemembered = 1000;
const longestAddress = 45;

/** Finds out where addresses are, and remembers it until something that it depends on changes. */
function originFinder(rule: CountryRule, countries: CountrySource, allowsAllFrom: CompiledRule['allowsAllFrom']) {
  const namesTor = rule.countries.includes(torExits);
  let known = createRecentMap<KnownOrigin>(mostRemembered);
  let basis: { readonly database: CountryDatabase; readonly exits: TorExits | null; readonly networks: ReturnType<typeof openFinder> } | null = null;
  function originOf(address: string, now: number): Origin & { readonly text: string } {
    const read = readAddress(address);
    if (read === null) return { text: address, country: null, isPrivate: false, isOpen: false };
    const isOpen = basis?.networks.contains(read.text, read.family === 4 ? 'ipv4' : 'ipv6') === true;
    return { text: read.text, country: countryFor(rule, countries, read.text, now), isPrivate: read.special, isOpen };
  }
  return (address: string, now: number): KnownOrigin => {
    const database = countries.database();
    const exits = namesTor ? exitsFor(rule, countries, now) : null;
    if (basis === null || basis.database !== database || basis.exits !== exits || now >= basis.networks.until) {
      basis = { database, exits, networks: openFinder(rule.openNetworks, now) };
      known = createRecentMap(mostRemembered);
    }
    const before = known.get(address);
    if (before !== undefined) return before;
    const found = originOf(address, now);
    const origin = { ...found, isAllowed: allowsAllFrom(found) };
    if (address.length <= longestAddress) known.set(address, origin);
    return origin;
  };
}

/** Prepares a rule for many requests: what it costs to decide does not depend on the number of countries and hardly on that of networks. */
export function prepareRule(rule: CountryRule, countries: CountrySource): PreparedRule {
  const compiled = compileRule(rule);
  const withoutDatabase = compileRule(rule, false);
  const find = originFinder(rule, countries, compiled.allowsAllFrom);
  const hasDatabase = (now: number): boolean => databaseProblem(countries.database(), now) === null;
  return {
    allowsAllFrom: (address, now) => !hasDatabase(now) || find(address, now).isAllowed,
    decide(request, now) {
      const { text, country, isPrivate, isOpen } = find(request.address, now);
      const decision = (hasDatabase(now) ? compiled : withoutDatabase).decide({
        path: request.path,
        country,
        isPrivate,
        isOpen,
        isVerifiedBot: rule.bots === 'verified' && request.isVerifiedBot(),
        passedChallenge: rule.action === 'challenge' && request.passedChallenge(country),
      });
      return { ...decision, address: text, country };
    },
  };
}
