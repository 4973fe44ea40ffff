import type { Crawler } from '../../../contract/countryBlock/terms';
import type { Context } from '../../context';
import { networkFinder } from '../../net/networks';
import { publishedText, sourceName } from '../../net/publishedText';
import { networkText, readNetworks } from '../../net/readNetworks';
import { MINUTE } from '../../zone';
import * as queries from './queries';

/** Networks that operators of crawlers publish, from the files and addresses of `CRAWLER_RANGES`. */

const limits = { bytes: 4 * 1024 ** 2, networks: 20_000 } as const;

const textsOf = (value: unknown): string[] => (typeof value === 'string' ? [value] : []);

/**
 * The networks of a published list: `{ "prefixes": [{ "ipv4Prefix": "66.249.64.0/27" }, { "ipv6Prefix": "2001:4860:4801::/64" }] }`, the format of Google, which
 * Bing, Apple and DuckDuckGo use too. Throws if it has none, or an entry that is no network: half a list would turn crawlers away.
 */
export function readPublishedRanges(text: string): string[] {
  const value: unknown = JSON.parse(text);
  const prefixes = typeof value === 'object' && value !== null && 'prefixes' in value && Array.isArray(value.prefixes) ? (value.prefixes as unknown[]) : [];
  const entries = prefixes.flatMap((one) => {
    const { ipv4Prefix, ipv6Prefix } = (one ?? {}) as { readonly ipv4Prefix?: unknown; readonly ipv6Prefix?: unknown };
    return [...textsOf(ipv4Prefix), ...textsOf(ipv6Prefix)];
  });
  const { networks, refused } = readNetworks(entries.join('\n'), 1, limits.networks + 1);
  if (refused[0]) throw new Error(`not a network: ${refused[0].text}`);
  if (networks.length === 0) throw new Error('no networks');
  if (networks.length > limits.networks) throw new Error('too many networks');
  return networks.map(networkText);
}

/** Reads all lists again; one that cannot be read stays as it was. Runs daily. */
export async function refreshCrawlerRanges(ctx: Context): Promise<void> {
  const { db } = ctx.postgres;
  const sources = ctx.config.crawlerRanges;
  await queries.deleteOtherRanges(
    db,
    sources.map(({ source }) => source),
  );
  for (const { crawler, source } of sources) {
    try {
      await queries.putRanges(db, {
        source,
        crawler,
        networks: readPublishedRanges((await publishedText(source, limits.bytes))?.text ?? ''),
        at: new Date(ctx.now()),
      });
    } catch (error) {
      ctx.log.warn('The networks of a crawler could not be read', { crawler, source: sourceName(source), error });
    }
  }
}

export type CrawlerRanges = {
  /** Whether the address is in a published network of the crawler. The lists of a process are up to ten minutes old; until they are read, nothing is in them. */
  readonly contains: (crawler: Crawler, address: string, family: 'ipv4' | 'ipv6') => boolean;
};
const rereadAfter = 10 * MINUTE;

/** The lists that `refreshCrawlerRanges` stored. Without lists in the configuration, nothing is read. */
export function openCrawlerRanges({ config, postgres, now, log }: Pick<Context, 'config' | 'postgres' | 'now' | 'log'>): CrawlerRanges {
  const sources = config.crawlerRanges.map(({ source }) => source);
  let finders: ReadonlyMap<Crawler, ReturnType<typeof networkFinder>> = new Map();
  let due = -Infinity;
  async function reread(): Promise<void> {
    const byCrawler = new Map<Crawler, string[]>();
    for (const { crawler, networks } of await queries.rangesOf(postgres.db, sources)) byCrawler.set(crawler, [...(byCrawler.get(crawler) ?? []), ...networks]);
    finders = new Map([...byCrawler].map(([crawler, networks]) => [crawler, networkFinder(readNetworks(networks.join('\n'), 0).networks)]));
  }
  return {
    contains(crawler, address, family) {
      if (sources.length > 0 && now() >= due) {
        due = now() + rereadAfter;
        void reread().catch((error: unknown) => {
          due = now() + MINUTE;
          log.warn('The networks of crawlers could not be loaded; they are read again in a minute', { error });
        });
      }
      return finders.get(crawler)?.(address, family) ?? false;
    },
  };
}
