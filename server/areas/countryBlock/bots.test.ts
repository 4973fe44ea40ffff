import { createLog } from '../../log';
import { createBotVerifier } from './bots';
import type { HostLookup } from './bots';

const published = { contains: (crawler: string, address: string) => crawler === 'duckduckgo' && address === '5.5.5.5' };

const names: Readonly<Record<string, readonly string[]>> = {
  '66.249.66.1': ['crawl-66-249-66-1.googlebot.com'],
  '1.1.1.1': ['crawl-1-1-1-1.googlebot.com'],
  '2.2.2.2': ['googlebot.com.evil.example'],
};
const lookup: HostLookup = {
  reverse: async (address) => names[address] ?? Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' })),
  addresses: async (host) => (host === 'crawl-66-249-66-1.googlebot.com' ? ['66.249.66.1'] : ['9.9.9.9']),
};
const agent = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

async function verdictOf(address: string, userAgent = agent): Promise<[boolean, boolean]> {
  const { isVerified } = createBotVerifier({ now: () => 0, log: createLog('silent') }, published, lookup);
  const first = isVerified(address, userAgent);
  await new Promise((resolve) => setImmediate(resolve));
  return [first, isVerified(address, userAgent)];
}

test.each<[string, string, string | undefined, boolean]>([
  ['its host name leads back', '66.249.66.1', undefined, true],
  ['its host name leads elsewhere', '1.1.1.1', undefined, false],
  ['its host name only looks alike', '2.2.2.2', undefined, false],
  ['it has no host name', '3.3.3.3', undefined, false],
  ['it names no crawler', '66.249.66.1', 'Mozilla/5.0', false],
])('the first request waits for no check of a crawler: %s', async (_, address, userAgent, verified) => {
  expect(await verdictOf(address, userAgent)).toEqual([false, verified]);
});

test('an address with thousands of host names costs few lookups', async () => {
  let lookups = 0;
  const many: HostLookup = {
    reverse: async () => Array.from({ length: 3000 }, (_, at) => `crawl-${String(at)}.googlebot.com`),
    addresses: async () => {
      lookups += 1;
      return ['9.9.9.9'];
    },
  };
  createBotVerifier({ now: () => 0, log: createLog('silent') }, published, many).isVerified('66.249.66.1', agent);
  await new Promise((resolve) => setImmediate(resolve));
  expect(lookups).toBe(10);
});

test('an address in a published network is known at once', async () => {
  const duck = 'DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)';
  expect([await verdictOf('5.5.5.5', duck), await verdictOf('5.5.5.5'), await verdictOf('5.5.5.6', duck)]).toEqual([
    [true, true],
    [false, false],
    [false, false],
  ]);
});
