/** Blocking visitors of delivered sites by country. Terms without zod. */

import { torExits, unknownCountry } from './codes';

export const ruleModes = ['deny_listed', 'allow_listed'] as const;
export type RuleMode = (typeof ruleModes)[number];

/** log_only: visitors notice nothing; the log says what would have happened. */
export const ruleActions = ['block', 'challenge', 'log_only'] as const;
export type RuleAction = (typeof ruleActions)[number];

/** Status of refusals; 451 (RFC 7725) where a legal demand is the reason. */
export const refusalStatuses = [403, 451] as const;

/** ISO 3166-1 alpha-2 by part of the world, as the picker groups them. */
export const countriesByRegion = {
  asia: 'CN HK MO TW JP KR KP MN VN LA KH TH MM MY SG ID PH BN TL IN PK BD LK NP BT MV AF IR IQ SY LB JO IL PS SA AE QA KW BH OM YE TR CY GE AM AZ KZ UZ KG TJ TM'.split(
    ' ',
  ),
  europe:
    'GB IE FR DE NL BE LU CH AT LI MC IT ES PT AD SM VA MT GR DK SE NO FI IS EE LV LT PL CZ SK HU RO BG MD UA BY RU RS HR SI BA ME MK AL AX FO GG JE IM GI SJ'.split(
      ' ',
    ),
  americas:
    'US CA MX GT BZ SV HN NI CR PA CU HT DO JM BS BB TT AG DM GD KN LC VC CO VE EC PE BO CL AR UY PY BR GY SR GF FK GL BM PM PR VI VG AI MS KY TC AW CW BQ SX GP MQ BL MF GS'.split(
      ' ',
    ),
  africa:
    'EG LY TN DZ MA EH SD SS ET ER DJ SO KE UG TZ RW BI CD CG GA GQ CM CF TD NE NG BJ TG GH CI BF ML SN GM GW GN SL LR CV MR ST AO ZM ZW MW MZ BW NA ZA LS SZ MG MU KM SC RE YT SH'.split(
      ' ',
    ),
  oceania: 'AU NZ PG FJ SB VU NC PF WS TO TV KI NR MH FM PW GU MP AS CK NU TK WF PN NF CX CC HM UM'.split(' '),
  antarctic: ['AQ', 'BV', 'TF', 'IO'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type CountryRegion = keyof typeof countriesByRegion;
export const countryRegions = Object.keys(countriesByRegion) as CountryRegion[];
/** All codes that a rule may list, `XX` and `T1` among them. */
export const listedCountries: ReadonlySet<string> = new Set([...Object.values(countriesByRegion).flat(), unknownCountry, torExits]);

/** The step that decided about a request, in order of evaluation. */
export const decisionReasons = [
  'disabled',
  'no_database',
  'fixed_path',
  'open_path',
  'open_network',
  'private_address',
  'verified_bot',
  'country_allowed',
  'challenge_passed',
  'country_refused',
] as const;
export type DecisionReason = (typeof decisionReasons)[number];

/**
 * What a rule may do that its author should know.
 *
 * would_block_you   the address of the person who saves it would be refused
 * googlebot_us      search engines crawl from the US, which is refused
 * cloaking          search engines get pages that people in the same countries do not get
 * filing_cn         the site has a valid filing in mainland China, where visitors would be refused
 * no_database       countries cannot be told, so the rule does nothing
 * database_old      the address database is older than 400 days, so the rule does nothing
 * no_tor_list       the rule names Tor, whose exits are not known, so that they count as their country
 * tor_list_old      the rule names Tor, whose exits were last read more than a week ago; the same
 * proxy_untrusted   a proxy that is not trusted hides the addresses of visitors
 * private_addresses most recorded visits come from one private address: a local test, or a proxy that hides the addresses of visitors
 * behind_cache      a cache in front of the program answers without asking it
 */
export const ruleWarnings = [
  'would_block_you',
  'googlebot_us',
  'cloaking',
  'filing_cn',
  'no_database',
  'database_old',
  'no_tor_list',
  'tor_list_old',
  'proxy_untrusted',
  'private_addresses',
  'behind_cache',
] as const;
export type RuleWarning = (typeof ruleWarnings)[number];
/** Why the country of an address cannot be determined, so that rules do nothing. */
export type DatabaseProblem = 'no_database' | 'database_old';
/** Those that have to be accepted by name before the rule is saved. */
export const warningsToAccept = ['would_block_you'] as const satisfies readonly RuleWarning[];

/** Crawlers that are verified by their addresses, since any program can claim to be one of them. */
export const crawlers = ['google', 'bing', 'baidu', 'yandex', 'apple', 'duckduckgo'] as const;
export type Crawler = (typeof crawlers)[number];

/** Always open: certificates, crawlers that ask what they may, and the challenge itself. */
export const fixedPaths = ['/.well-known/', '/robots.txt$', '/_challenge'] as const;

/** Zero bits with which the digest of a solved challenge begins: about 130 000 attempts. */
export const challengeBits = 17;

export const countryBlockLimits = {
  countries: 250,
  /** Networks after overlapping ones are merged. */
  networks: 500,
  paths: 50,
  message: 1000,
  /** Bytes of pasted addresses. */
  addressBytes: 4 * 1024 ** 2,
  /** Lines of pasted addresses that are listed as refused. */
  refusedLines: 100,
  /** Days after which the address database counts as old. */
  databaseDays: 400,
  /** Days after which the list of exits of Tor counts as old. */
  torDays: 7,
  /** Hours for which a passed challenge is valid. */
  challengeHours: 12,
  /** Days of visits that a preview reads. */
  previewDays: 30,
  /** Rows of the log per second and process; above, they are sampled. */
  logPerSecond: 50,
} as const;
