import { waitFor } from '@testing-library/react';
import { consolePath, discoveryLimits, makeMemory, manifestAddresses } from './discovery';
import { allowsAhead, makeAllowance, sharedFiles } from './fetchAhead';
import { mayReload, partFailure, recoverFromOldBuild } from './chunkRecovery';
import { clearDrafts, clearedName } from './clearDrafts';
import { dropDraft, keepDraft, readDraft } from './drafts';
import { makeFormat, spaceBesideHan } from './format';
import { matchScore, pinyinInitials } from './match';
import { goToSignIn, onGoToSignIn } from './signInAddress';
import { listenToTabs, broadcastToTabs } from './tabs';
import { webAddress } from './webAddress';
import { flag, list, oneOf, readSearch, text, whole, writeSearch } from './searchState';

describe('a chunk that fails to load', () => {
  const late = Object.assign(new Error('Loading chunk 7 failed.\n(timeout: /assets/7.js)'), {
    name: 'ChunkLoadError',
    type: 'timeout',
    request: '/assets/7.js',
  });
  const style = Object.assign(new Error('Loading CSS chunk 7 failed'), { code: 'CSS_CHUNK_LOAD_FAILED', type: 'error', request: '/assets/7.css' });

  test('is distinguished from every other error', () => {
    expect(partFailure(late)).toEqual({ name: 'ChunkLoadError', late: true, request: '/assets/7.js' });
    expect(partFailure(style)).toEqual({ name: 'CSS_CHUNK_LOAD_FAILED', late: false, request: '/assets/7.css' });
    expect(partFailure(new TypeError('x is undefined'))).toBeNull();
    expect(partFailure(null)).toBeNull();
  });

  const guard = (stored: Map<string, string>, now: number, isOldBuild = true) => {
    const reload = jest.fn();
    return {
      reload,
      guard: {
        storage: { getItem: (key: string) => stored.get(key) ?? null, setItem: (key: string, value: string) => void stored.set(key, value) },
        now: () => now,
        reload,
        isOldBuild: () => Promise.resolve(isOldBuild),
      },
    };
  };

  test('reloads once for a new release, not again within a minute', async () => {
    const stored = new Map<string, string>();
    const first = guard(stored, 1_000_000);
    expect(await recoverFromOldBuild(late, first.guard)).toBe(true);
    expect(first.reload).toHaveBeenCalledTimes(1);
    const second = guard(stored, 1_059_999);
    expect(await recoverFromOldBuild(style, second.guard)).toBe(false);
    expect(second.reload).not.toHaveBeenCalled();
    expect(await recoverFromOldBuild(style, guard(stored, 1_060_000).guard)).toBe(true);
    expect(mayReload(null, 5)).toBe(true);
  });

  test('does not reload for the same release or without storage', async () => {
    expect(await recoverFromOldBuild(late, guard(new Map(), 0, false).guard)).toBe(false);
    expect(await recoverFromOldBuild(new Error('x'), guard(new Map(), 0).guard)).toBe(false);
    const forgetful = guard(new Map(), 0).guard;
    expect(
      await recoverFromOldBuild(late, {
        ...forgetful,
        storage: {
          getItem: () => {
            throw new Error('denied');
          },
          setItem: () => undefined,
        },
      }),
    ).toBe(false);
    expect(await recoverFromOldBuild(late, { ...forgetful, storage: { getItem: () => null, setItem: () => undefined } })).toBe(false);
  });
});

describe('prefetching', () => {
  test('requests a path once and remembers a thousand', () => {
    const memory = makeMemory();
    expect(memory.fresh(['/a', '/b', '/a'])).toEqual(['/a', '/b']);
    memory.fresh(Array.from({ length: 1000 }, (_, at) => `/p${String(at)}`));
    expect(memory.size()).toBe(1000);
    expect(memory.fresh(['/a'])).toEqual(['/a']);
  });

  test('limits request addresses to 7680 characters and loses no path', () => {
    const paths = Array.from({ length: 400 }, (_, at) => `/site/abcdefghijkl/als/section-${String(at)}`);
    const addresses = manifestAddresses(paths, 'b1', 'http://localhost:3000');
    expect(addresses.length).toBeGreaterThan(1);
    for (const address of addresses) expect(`http://localhost:3000${address}`.length).toBeLessThanOrEqual(discoveryLimits.urlLength);
    expect(addresses.flatMap((address) => new URL(address, 'http://x').searchParams.getAll('p'))).toEqual(paths);
    expect(new URL(addresses[0] as string, 'http://x').searchParams.get('version')).toBe('b1');
    expect(manifestAddresses([`/${'x'.repeat(8000)}`], 'b1', 'http://x')).toEqual([]);
  });

  test('follows only links of the console', () => {
    const origin = 'http://localhost:3000';
    const link = (href: string, target = '') => ({ href, target });
    expect(consolePath(link(`${origin}/site/x/als?from=1#y`), origin)).toBe('/site/x/als');
    for (const other of ['https://elsewhere.example/home', `${origin}/sign/`, `${origin}/api/core/x`, 'mailto:a@b.c'])
      expect(consolePath(link(other), origin)).toBeNull();
    expect(consolePath(link(`${origin}/home`, '_blank'), origin)).toBeNull();
  });
});

describe('a link address', () => {
  test('never leaves the site, whatever path a visitor sent', () => {
    expect(webAddress('https://tea.example/shop')).toBe('https://tea.example/shop');
    expect(webAddress('https://tea.example/shop', '/产品?a=1')).toBe('https://tea.example/%E4%BA%A7%E5%93%81?a=1');
    for (const path of ['//evil.example/x', '/\\evil.example/x', '/@evil.example'])
      expect(new URL(webAddress('https://tea.example', path) ?? '').host).toBe('tea.example');
  });
  test('is http or https', () => {
    for (const site of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'tea.example', '', null]) expect(webAddress(site)).toBeNull();
    expect(webAddress('https://tea.example', 'javascript:alert(1)')).toBeNull();
  });
});

describe('state in the address', () => {
  const fields = { q: text(), sort: oneOf(['name', 'visitors'], 'visitors'), page: whole(1, 1, 100), open: flag(), tag: list(2) };

  test('parses valid values and falls back silently', () => {
    expect(readSearch(fields, new URLSearchParams('q=tea&sort=bogus&page=0&open=1&tag=a&tag=b&tag=c'))).toEqual({
      q: 'tea',
      sort: 'visitors',
      page: 1,
      open: true,
      tag: ['a', 'b'],
    });
  });

  test('omits defaults and keeps unrelated parameters', () => {
    const written = writeSearch(fields, new URLSearchParams('from=1&page=3'), { page: 1, sort: 'name', tag: ['x', 'y'] });
    expect(written.toString()).toBe('from=1&sort=name&tag=x&tag=y');
  });
});

describe('search by name', () => {
  test('matches the initials of pinyin', () => {
    expect(pinyinInitials('实时访问')).toBe('ssfw');
    expect(pinyinInitials('Tea 茶舍')).toBe('teacs');
    expect(matchScore('ssfw', '实时访问')).toBeGreaterThan(50);
  });

  test('ranks whole words before prefixes before inner matches, omitting weak ones', () => {
    expect(matchScore('tea', 'tea')).toBeGreaterThan(matchScore('tea', 'tea house'));
    expect(matchScore('tea', 'tea house')).toBeGreaterThan(matchScore('tea', 'old tea house'));
    expect(matchScore('tea', 'old tea house')).toBeGreaterThan(matchScore('tea', 'steam'));
    expect(matchScore('tea', 'the very long name of an area')).toBe(0);
  });
});

describe('numbers and dates', () => {
  const zh = makeFormat('zh-CN');
  const en = makeFormat('en');

  test("follow the reader's locale", () => {
    expect(zh.compact(123_456)).toBe('12.3 万');
    expect(en.compact(123_456)).toBe('123.5K');
    expect(zh.compact(9999)).toBe('9,999');
    expect([0, 59.6, 192, 241, 3661].map(zh.duration)).toEqual(['0 秒', '1 分 00 秒', '3 分 12 秒', '4 分 01 秒', '1 小时 01 分']);
    expect([0, 12, 240, 241, 3600].map(en.duration)).toEqual(['0 s', '12 s', '4 m 00 s', '4 m 01 s', '1 h 00 m']);
    expect([0.1234, 0.4, 0].map((ratio) => zh.percent(ratio))).toEqual(['12.3%', '40.0%', '0.0%']);
    expect([2.35, 2.4, 1234].map((value) => zh.decimal(value))).toEqual(['2.35', '2.40', '1,234.00']);
    expect(zh.percentTick(0.4)).toBe('40%');
    expect([zh.number(-1234), en.compact(-12_300), zh.decimal(-0.5), en.percent(-0.1), zh.percentTick(-0.1)]).toEqual([
      '−1,234',
      '−12.3K',
      '−0.50',
      '−10.0%',
      '−10%',
    ]);
  });

  test('have a space beside Chinese characters', () => {
    expect(spaceBesideHan('50秒钟前')).toBe('50 秒钟前');
    expect(spaceBesideHan('使用GTM添加2次')).toBe('使用 GTM 添加 2 次');
    expect(spaceBesideHan('共 3 行，12.3万。')).toBe('共 3 行，12.3 万。');
    expect(zh.relative(-50_000, 0)).toBe('50 秒前');
  });

  test('lists are joined as the language writes them', () => {
    expect([['tea'], ['tea', 'salt'], ['tea', 'salt', 'oil']].map(en.list)).toEqual(['tea', 'tea and salt', 'tea, salt and oil']);
    expect([['茶'], ['茶', '盐'], ['茶', '盐', '油']].map(zh.list)).toEqual(['茶', '茶和盐', '茶、盐和油']);
    expect(zh.list(['a.example', 'b.example'])).toBe('a.example 和 b.example');
    expect(zh.list(['iPhone手机', '茶'])).toBe('iPhone手机和茶');
  });

  test.each([
    ['2026-11-17', '2026-11-23', '17–23 Nov 2026', '11月17日–23日'],
    ['2026-10-28', '2026-11-03', '28 Oct – 3 Nov 2026', '10月28日–11月3日'],
    ['2025-12-28', '2026-01-03', '28 Dec 2025 – 3 Jan 2026', '2025年12月28日–2026年1月3日'],
    ['2025-11-01', '2025-11-30', '1–30 Nov 2025', '2025年11月1日–30日'],
    ['2026-11-17', '2026-11-17', '17 Nov 2026', '11月17日'],
  ])('the days %s to %s', (from, to, english, chinese) => {
    expect([en.days({ from, to }, '2026-11-20'), zh.days({ from, to }, '2026-11-20')]).toEqual([english, chinese]);
  });

  test('a day has its weekday, a month its year', () => {
    expect([en.day('2026-11-17', '2026-11-20'), zh.day('2026-11-17', '2026-11-20')]).toEqual(['Tue 17 Nov', '11月17日 周二']);
    expect([en.day('2025-11-17', '2026-11-20'), zh.day('2025-11-17', '2026-11-20')]).toEqual(['Mon 17 Nov 2025', '2025年11月17日 周一']);
    expect([en.month('2026-11-01'), zh.month('2026-11-01'), en.monthDay('2026-09-03'), zh.monthDay('2026-09-03')]).toEqual([
      'Nov 2026',
      '2026年11月',
      '3 Sep',
      '9月3日',
    ]);
  });

  test('days and times are in the requested zone', () => {
    const at = Date.UTC(2026, 10, 19, 16, 30);
    expect(zh.date(at, { timeZone: 'Asia/Shanghai' })).toBe('2026-11-20 周五');
    expect(zh.time(at, { timeZone: 'Asia/Shanghai' })).toBe('00:30');
    expect(en.date(at, { timeZone: 'UTC' })).toBe('2026-11-19 Thu');
    expect(zh.relative(at - 3 * 60_000, at)).toBe('3 分钟前');
    expect(zh.relative(at - 2 * 86_400_000, at)).toMatch(/^2026-11-1[78]$/);
  });
});

describe('a draft', () => {
  test('belongs to one person and is cleared at sign-out', () => {
    keepDraft('a', 'form', { name: 'half' });
    expect(readDraft('a', 'form')).toEqual({ name: 'half' });
    expect(readDraft('b', 'form')).toBeUndefined();
    dropDraft('a', 'form');
    expect(readDraft('a', 'form')).toBeUndefined();
    keepDraft('b', 'other', 1);
    const asleep = Object.entries(sessionStorage) as [string, string][];
    clearDrafts();
    expect(readDraft('b', 'other')).toBeUndefined();
    // A tab that was asleep when another one signed out.
    jest.spyOn(Date, 'now').mockReturnValueOnce(Date.now() + 1);
    clearDrafts();
    for (const [name, value] of asleep) sessionStorage.setItem(name, value);
    expect(readDraft('b', 'other')).toBeUndefined();
  });

  test('of a later session outlives a sign-out that its tab slept through', () => {
    const signedOutAt = Date.now() + 1000;
    const reply = 'console:draft:reply:a:1';
    keepDraft('a', 'form', 1);
    const now = jest.spyOn(Date, 'now').mockReturnValue(signedOutAt + 1);
    keepDraft('a', 'later', 2);
    localStorage.setItem(reply, JSON.stringify({ text: 'On Monday', at: Date.now() }));
    clearDrafts(signedOutAt);
    expect([readDraft('a', 'form'), readDraft('a', 'later'), localStorage.getItem(reply)]).toEqual([undefined, 2, expect.stringContaining('Monday')]);
    clearDrafts();
    expect(localStorage.getItem(reply)).toBeNull();
    // An older message does not bring back what a later one cleared.
    clearDrafts(signedOutAt);
    expect(localStorage.getItem(clearedName)).toBe(String(signedOutAt + 1));
    now.mockRestore();
  });
});

describe('redirecting to the sign page', () => {
  test('happens once, however many calls fail', () => {
    const left: string[] = [];
    const restore = onGoToSignIn((address) => left.push(address));
    goToSignIn();
    goToSignIn();
    restore();
    expect(left).toHaveLength(1);
  });

  test('notifies other tabs but not its own', async () => {
    const receivedTypes: string[] = [];
    const stop = listenToTabs((message) => receivedTypes.push(message.type));
    const other = new BroadcastChannel('console:session');
    const arrived = new Promise((resolve) => {
      other.onmessage = resolve;
    });
    broadcastToTabs({ type: 'signedOut', at: 1 });
    await arrived;
    other.postMessage({ message: { type: 'expired' }, from: 'another tab' });
    await waitFor(() => expect(receivedTypes).toEqual(['expired']));
    other.close();
    stop();
  });
});

describe('files fetched ahead', () => {
  const sizes = { a: 60, b: 30, c: 20 };

  test('of a part are fetched all or none', () => {
    const allowance = makeAllowance(100);
    expect(allowance.take(['a', 'b'], sizes)).toEqual(['a', 'b']);
    expect(allowance.take(['c'], sizes)).toEqual([]);
    allowance.renew();
    expect(allowance.take(['c'], sizes)).toEqual(['c']);
  });

  test('are fetched once and cost nothing the second time', () => {
    const allowance = makeAllowance(100);
    allowance.take(['a'], sizes);
    expect(allowance.take(['a', 'b'], sizes)).toEqual(['b']);
    allowance.forget('a');
    allowance.renew();
    expect(allowance.take(['a', 'b'], sizes)).toEqual(['a']);
  });

  test('what half of the parts need is known', () => {
    expect(
      sharedFiles([
        ['mui', 'form', 'people'],
        ['mui', 'form', 'trades'],
        ['mui', 'report'],
      ]),
    ).toEqual(['mui', 'form']);
    expect(sharedFiles([['mui', 'report']])).toEqual([]);
  });

  test('are left out on slow and metered connections', () => {
    expect(allowsAhead(undefined)).toBe(true);
    expect(allowsAhead({ effectiveType: '4g' })).toBe(true);
    expect(allowsAhead({ effectiveType: '4g', saveData: true })).toBe(false);
    for (const effectiveType of ['slow-2g', '2g', '3g']) expect(allowsAhead({ effectiveType })).toBe(false);
  });
});
