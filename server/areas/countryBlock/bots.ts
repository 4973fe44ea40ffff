import { Resolver } from 'node:dns/promises';
import type { Crawler } from '../../../contract/countryBlock/terms';
import { readAddress } from '../../collect/classify';
import type { Context } from '../../context';
import { DAY } from '../../zone';
import type { CrawlerRanges } from './crawlerRanges';

/** Search engines whose crawlers are recognised by published networks, or by the host name of the address, which in turn leads to the address. */
const engines: readonly { readonly crawler: Crawler; readonly agent: RegExp; readonly hosts: readonly string[] }[] = [
  { crawler: 'google', agent: /googlebot|google-inspectiontool|adsbot-google/i, hosts: ['.googlebot.com', '.google.com'] },
  { crawler: 'bing', agent: /bingbot|adidxbot/i, hosts: ['.search.msn.com'] },
  { crawler: 'baidu', agent: /baiduspider/i, hosts: ['.crawl.baidu.com', '.baidu.com', '.baidu.jp'] },
  { crawler: 'yandex', agent: /yandex/i, hosts: ['.yandex.com', '.yandex.net', '.yandex.ru'] },
  { crawler: 'apple', agent: /applebot/i, hosts: ['.applebot.apple.com'] },
  // Only by its published networks.
  { crawler: 'duckduckgo', agent: /duckduckbot/i, hosts: [] },
];

/** The search engine to which a program says that it belongs. */
export const claimedCrawler = (userAgent: string): Crawler | null => engines.find(({ agent }) => agent.test(userAgent))?.crawler ?? null;

export type HostLookup = {
  readonly reverse: (address: string) => Promise<readonly string[]>;
  readonly addresses: (host: string) => Promise<readonly string[]>;
};

const timeoutMs = 3000;

function systemLookup(): HostLookup {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 });
  const none = (): string[] => [];
  return {
    reverse: (address) => resolver.reverse(address),
    addresses: async (host) => (await Promise.all([resolver.resolve4(host).catch(none), resolver.resolve6(host).catch(none)])).flat(),
  };
}

export type BotVerifier = {
  /**
   * Whether the address is known to belong to the search engine that the user agent names. The first request of an address outside published networks starts the
   * check and is decided without its result, so that no visitor waits for DNS.
   */
  readonly isVerified: (address: string, userAgent: string) => boolean;
};

const mostRemembered = 10_000;
const mostChecks = 20;
/** Names of one address that are looked up: whoever owns an address may give it thousands. */
const mostNames = 10;

/** Results are remembered for a day. An address that could not be checked is checked again with its next request. */
export function createBotVerifier({ now, log }: Pick<Context, 'now' | 'log'>, published: CrawlerRanges, lookup: HostLookup = systemLookup()): BotVerifier {
  const remembered = new Map<string, { readonly verified: boolean; readonly until: number }>();
  const checking = new Set<string>();

  async function check(address: string, hosts: readonly string[]): Promise<boolean> {
    const names = (await lookup.reverse(address))
      .map((name) => name.toLowerCase().replace(/\.$/, ''))
      .filter((name) => hosts.some((host) => name.endsWith(host)))
      .slice(0, mostNames);
    for (const name of names) {
      const found = await lookup.addresses(name);
      if (found.some((one) => readAddress(one)?.text === address)) return true;
    }
    return false;
  }
  function start(key: string, address: string, hosts: readonly string[]): void {
    if (checking.has(key) || checking.size >= mostChecks) return;
    checking.add(key);
    void check(address, hosts)
      .catch((error: unknown) => {
        // A name that does not exist is an answer.
        if ((error as NodeJS.ErrnoException).code === 'ENOTFOUND') return false;
        log.debug('a crawler could not be verified', { error });
        return null;
      })
      .then((verified) => {
        if (verified === null) return;
        if (remembered.size >= mostRemembered) remembered.clear();
        remembered.set(key, { verified, until: now() + DAY });
      })
      .finally(() => checking.delete(key));
  }

  return {
    isVerified(address, userAgent) {
      const engine = engines.find(({ agent }) => agent.test(userAgent));
      const read = readAddress(address);
      if (engine === undefined || read === null || read.special) return false;
      if (published.contains(engine.crawler, read.text, read.family === 4 ? 'ipv4' : 'ipv6')) return true;
      if (engine.hosts.length === 0) return false;
      const key = `${engine.crawler} ${read.text}`;
      const known = remembered.get(key);
      if (known && known.until > now()) return known.verified;
      start(key, read.text, engine.hosts);
      return false;
    },
  };
}
