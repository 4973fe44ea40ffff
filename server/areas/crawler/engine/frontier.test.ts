import fc from 'fast-check';
import { createFamilies } from './families';
import { createFrontier, priorityOf } from './frontier';
import type { FrontierEntry } from './frontier';
import { createGovernor, retryAfterMs } from './governor';
import { createRobotsFiles, crawlDelayOf } from './robotsFiles';
import type { RobotsCopy } from './robotsFiles';
import { createScope } from './scope';
import { createSeenSet } from './seenSet';
import { readSitemap } from './sitemaps';
import { defaultConfig } from '../../../../contract/crawler/config';
import type { Fetched } from './terms';

const entry = (id: number, host: string, depth: number, source: FrontierEntry['source'] = 'link'): FrontierEntry => ({
  id,
  url: `https://${host}/${id}`,
  depth,
  hops: 0,
  source,
  fromId: null,
  attempts: 0,
  late: 0,
});

test('the set of seen ids is a set', () =>
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.nat(50), fc.maxSafeNat()), { maxLength: 300 }), (ids) => {
      const [ours, theirs] = [createSeenSet(2), new Set<number>()];
      for (const id of ids.map((one) => one + 2)) {
        expect(ours.add(id)).toBe(!theirs.has(id));
        theirs.add(id);
      }
      expect([ours.size(), [...theirs].every((id) => ours.has(id)), ours.has(1)]).toEqual([theirs.size, true, false]);
    }),
  ));

test('every address comes out once, in order of priority within its host', () =>
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(15), fc.constantFrom('link' as const, 'sitemap' as const, 'external' as const)), {
        maxLength: 60,
      }),
      (list) => {
        const frontier = createFrontier();
        list.forEach(([host, depth, source], id) => frontier.push(entry(id, host, depth, source)));
        const out: FrontierEntry[] = [];
        for (let next = frontier.next(() => true); next !== null; next = frontier.next(() => true)) out.push(next);
        expect(out.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(list.map((_, id) => id));
        expect(frontier.size()).toBe(0);
        for (const host of ['a', 'b', 'c']) {
          const own = out.filter(({ url }) => url.startsWith(`https://${host}/`)).map((one) => [priorityOf(one), one.id] as const);
          expect(own).toEqual(own.toSorted((x, y) => x[0] - y[0] || x[1] - y[1]));
        }
      },
    ),
  ));

test('a host that may not be requested keeps its addresses', () => {
  const frontier = createFrontier();
  for (let id = 0; id < 6; id += 1) frontier.push(entry(id, id % 2 === 0 ? 'a' : 'b', 0));
  expect([1, 2, 3, 4].map(() => frontier.next((host) => host === 'a')?.id ?? null)).toEqual([0, 2, 4, null]);
  expect([frontier.waitingAt('a'), frontier.waitingAt('b'), frontier.take(({ id }) => id > 1).length, frontier.size()]).toEqual([0, 3, 2, 1]);
});

describe('the governor', () => {
  const run = (governor: ReturnType<typeof createGovernor>, from: number, count: number, ms: number): number => {
    let now = from;
    for (let n = 0; n < count; n += 1) {
      now = Math.max(now, governor.readyAt('h'));
      governor.start('h', now);
      governor.end('h', now, { kind: 'ok', ms });
    }
    return now;
  };

  test('connections grow by one after 20 good responses and are halved on request', () => {
    const governor = createGovernor(() => ({ connections: 8, requestsPerSecond: 1000 }), 100);
    let now = run(governor, 1000, 40, 50);
    expect(governor.state('h').limit).toBe(4);
    governor.start('h', now);
    governor.end('h', now, { kind: 'slow_down', retryAfterMs: 7000 });
    expect([governor.state('h').limit, governor.isReady('h', now + 6999), governor.isReady('h', now + 7000)]).toEqual([2, false, true]);
    now = run(governor, now + 7000, 19, 50);
    expect(governor.state('h').limit).toBe(2);
    now = run(governor, now, 1, 50);
    expect(governor.state('h').limit).toBe(3);
    // Slower than usual: no more connections.
    run(governor, now, 60, 2000);
    expect(governor.state('h').limit).toBe(3);
  });

  test('what is lent of a host is missing here until it is released', () => {
    const governor = createGovernor(() => ({ connections: 8, requestsPerSecond: 100 }), 100);
    const now = run(governor, 1000, 140, 5);
    const share = governor.lend('h', now, 2);
    expect(share).toEqual({ connections: 4, requestsPerSecond: 50 });
    // Half of what is left would be less than half of a share.
    expect(governor.lend('h', now, 2)).toBeNull();
    let started = 0;
    for (let at = now; at < now + 10_000; at += 5)
      while (governor.isReady('h', at)) {
        governor.start('h', at);
        governor.end('h', at, { kind: 'ok', ms: 5 });
        started += 1;
      }
    expect([started > 450, started < 510]).toEqual([true, true]);
    const later = now + 20_000;
    for (let n = 0; n < 4; n += 1) governor.start('h', later);
    expect([governor.readyAt('h'), governor.isWithin('h')]).toEqual([Infinity, true]);
    if (share !== null) governor.release('h', share);
    expect(governor.readyAt('h')).toBeLessThan(Infinity);
    governor.learn('h', later, { kind: 'slow_down', retryAfterMs: 9000 });
    expect(governor.lend('h', later, 2)).toBeNull();
    // Another worker would only wait, too.
    governor.setCrawlDelay('slow', 1);
    expect(governor.lend('slow', now, 2)).toBeNull();
  });

  test('a crawl delay that becomes known while a part is lent holds', () => {
    const governor = createGovernor(() => ({ connections: 8, requestsPerSecond: 100 }), 100, 8);
    expect(governor.lend('h', 1000, 2)).not.toBeNull();
    governor.setCrawlDelay('h', 10);
    governor.start('h', 1000);
    expect(governor.readyAt('h')).toBeGreaterThan(10_000);
  });

  test('never exceeds requests per second, the crawl delay or the connections of a host', () => {
    const governor = createGovernor(() => ({ connections: 2, requestsPerSecond: 2 }), 100);
    let started = 0;
    for (let now = 0; now < 10_000; now += 10)
      while (governor.isReady('h', now)) {
        governor.start('h', now);
        governor.end('h', now, { kind: 'ok', ms: 5 });
        started += 1;
      }
    expect(started).toBeLessThanOrEqual(21);
    governor.setCrawlDelay('slow', 3);
    governor.start('slow', 0);
    governor.end('slow', 100, { kind: 'failed' });
    expect([governor.isReady('slow', 2900), governor.isReady('slow', 3000)]).toEqual([false, true]);
    governor.setCrawlDelay('slow', 9999);
    expect(governor.state('slow').delayMs).toBe(30_000);
    for (let n = 0; n < 2; n += 1) governor.start('busy', n * 10_000);
    expect(governor.readyAt('busy')).toBe(Infinity);
  });

  test('reads seconds and dates of Retry-After', () =>
    expect([retryAfterMs('5', 0), retryAfterMs('Thu, 01 Jan 1970 00:00:10 GMT', 4000), retryAfterMs('soon', 0), retryAfterMs(undefined, 0)]).toEqual([
      5000,
      6000,
      null,
      null,
    ]));
});

test('an endless family is paused until somebody allows it', () => {
  const families = createFamilies(100, []);
  const calendar = families.of('https://a.example/calendar/2026-01-02');
  expect(families.of('https://a.example/calendar/2031-07-09')).toBe(calendar);
  for (let n = 0; n < 60; n += 1) families.note(calendar, 0n, 0);
  expect([families.mayRequest(calendar), calendar.reason, families.lateness(calendar) > 0]).toEqual([false, 'novelty', true]);
  families.decide(calendar.host, calendar.family, 'allowed');
  expect(families.mayRequest(calendar)).toBe(true);
  const products = families.of('https://a.example/p/1');
  for (let n = 0; n < 500; n += 1) families.note(products, BigInt.asIntN(64, BigInt(n) * 0x9e3779b97f4a7c15n), 0);
  expect([families.mayRequest(products), products.reason]).toEqual([false, 'budget']);
});

describe('the scope', () => {
  const scopeOf = (change: object, seed = 'https://shop.example.co.uk/de/start') =>
    createScope({ ...defaultConfig([seed]), scope: { ...defaultConfig([seed]).scope, ...change } });

  test.each([
    ['host', 'https://www.shop.example.co.uk/x', true],
    ['host', 'https://evilshop.example.co.uk/', false],
    ['domain', 'https://blog.example.co.uk/', true],
    ['domain', 'https://other.co.uk/', false],
    ['prefix', 'https://shop.example.co.uk/de/a', true],
  ] as const)('of a %s has %s: %s', (mode, url, internal) => expect(scopeOf({ mode }).isInternal(url)).toBe(internal));

  test('skips what patterns, depths and the form of addresses exclude', () => {
    const scope = scopeOf({ exclude: ['*/cart*', '/\\/tag\\/\\d+$/', '/private/*'], maxDepth: 3, maxPathDepth: 3 });
    const skip = (path: string, depth = 1) => scope.skip(`https://shop.example.co.uk${path}`, depth);
    expect([
      skip('/a'),
      skip('/x/cart?y'),
      skip('/tag/12'),
      skip('/tag/12a'),
      skip('/private/z'),
      skip('/a', 4),
      skip('/a/b/c/d'),
      skip(`/${'x'.repeat(2000)}`),
      skip('/?a&b&c&d&e&f&g&h&i'),
      skip('/a/b/a/b/a/b'),
    ]).toEqual([null, 'scope', 'scope', null, 'scope', 'depth', 'depth', 'too_long', 'pattern', 'pattern']);
    expect(scopeOf({ mode: 'prefix' }).skip('https://shop.example.co.uk/en/a', 1)).toBe('scope');
    expect(scopeOf({ mode: 'list' }).skip('https://shop.example.co.uk/de/a', 1)).toBe('scope');
    expect(scopeOf({ include: ['*/de/*'] }).skip('https://shop.example.co.uk/fr/', 1)).toBe('scope');
  });

  test('follows a seed to another host of its domain only', () => {
    const scope = scopeOf({});
    expect([scope.addHost('https://new.example.co.uk/'), scope.addHost('https://elsewhere.example/')]).toEqual([true, false]);
    expect([scope.isInternal('https://new.example.co.uk/a'), scope.isInternal('https://elsewhere.example/')]).toEqual([true, false]);
  });
});

describe('robots.txt', () => {
  const response = (status: number, body = '', location: string | null = null): Fetched => ({
    url: '',
    status,
    error: status === 0 ? 'timeout' : null,
    headers: {},
    body: Buffer.from(body),
    wireBytes: 0,
    connectMs: 0,
    firstByteMs: 0,
    totalMs: 0,
    location,
    gzip: null,
  });
  const origin = 'https://a.example';
  async function stateAfter(answers: (url: string) => Fetched, waits: readonly number[] = [], earlier: readonly RobotsCopy[] = []) {
    let now = 0;
    const files = createRobotsFiles({ token: 'TestBot', earlier, request: (url) => Promise.resolve(answers(url)), now: () => now, onChange: () => undefined });
    for (const wait of [0, ...waits]) {
      now += wait;
      files.state(origin);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const state = files.peek(origin);
    return { files, state, allows: (path: string) => state !== undefined && files.allows(state, origin + path) };
  }

  test.each([
    [200, true, false],
    [404, true, true],
    [403, true, true],
    [301, true, true],
    [429, false, false],
    [500, false, false],
    [503, false, false],
    [0, false, false],
  ])('with status %i allows other paths: %s, the forbidden one: %s', async (status, other, forbidden) => {
    const { allows } = await stateAfter(() => response(status, 'User-agent: *\nDisallow: /no'));
    expect([allows('/yes'), allows('/no')]).toEqual([other, forbidden]);
  });

  test('is requested again after one, five and fifteen minutes, then not any more', async () => {
    let requests = 0;
    const minute = 60_000;
    const { state } = await stateAfter(() => {
      requests += 1;
      return response(503);
    }, [minute - 1, 1, 5 * minute - 1, 1, 15 * minute, 60 * minute]);
    expect([requests, state?.kind === 'closed' ? state.retryAt : 0]).toEqual([4, null]);
  });

  test('of an earlier run applies after the last failed request', async () => {
    const earlier = [{ origin, status: 200, body: 'User-agent: *\nDisallow: /no' }];
    const minutes = [1, 5, 15].map((minute) => minute * 60_000);
    const tried = await stateAfter(() => response(503), minutes.slice(0, 2), earlier);
    expect(tried.state?.kind).toBe('closed');
    const { allows, state, files } = await stateAfter(() => response(503), minutes, earlier);
    expect([allows('/yes'), allows('/no')]).toEqual([true, false]);
    // The journal has the failure, so that the file of the earlier run does not grow younger, and the next process comes to the same.
    expect(state).toMatchObject({ failures: 4, copy: { status: 503, body: '' } });
    files.restore({ origin, status: 503, body: '' }, 4);
    expect(files.peek(origin)).toEqual(state);
  });

  test('is found behind five redirects, and missing behind more', async () => {
    const chain = (length: number) => (url: string) => {
      const at = Number(/\/(\d+)$/.exec(url)?.[1] ?? 0);
      return at < length ? response(302, '', `${origin}/${at + 1}`) : response(200, 'User-agent: *\nDisallow: /');
    };
    expect([(await stateAfter(chain(5))).allows('/x'), (await stateAfter(chain(6))).allows('/x')]).toEqual([false, true]);
  });

  test('may state a crawl delay for one crawler', () => {
    const text = 'User-agent: a\nUser-agent: TestBot\nCrawl-delay: 7\n\nUser-agent: *\nCrawl-delay: 2';
    expect([crawlDelayOf(text, 'TestBot'), crawlDelayOf(text, 'Other'), crawlDelayOf('', 'x')]).toEqual([7, 2, null]);
  });
});

test('sitemaps are read in every form, and bombs of entities are not expanded', () => {
  const read = (text: string) => {
    const { kind, urls, children, problems } = readSitemap(Buffer.from(text), 'https://a.example');
    return { kind, urls: urls.map(({ url }) => url), children, problems };
  };
  expect(
    read(
      '<?xml version="1.0"?><urlset xmlns="s"><url><loc> https://a.example/1 </loc><image:image><image:loc>https://a.example/i.png</image:loc></image:image></url></urlset>',
    ),
  ).toMatchObject({ kind: 'urlset', urls: ['https://a.example/1'] });
  expect(read('<sitemapindex><sitemap><loc>https://a.example/s.xml</loc></sitemap></sitemapindex>')).toMatchObject({
    kind: 'index',
    children: ['https://a.example/s.xml'],
  });
  expect(read('https://a.example/1\nhttps://b.example/2')).toMatchObject({ kind: 'text', problems: ['wrong_host'] });
  expect(read('<urlset><url><loc>/relative</loc></url>')).toMatchObject({ problems: ['xml', 'relative'] });
  expect(read('<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><urlset><url><loc>https://a.example/&b;</loc></url></urlset>').problems).toContain('xml');
  expect(read('<html><body>no</body></html>').kind).toBe('unknown');
  expect(read('<constructor/>').kind).toBe('unknown');
});
