/** @jest-environment node */
import { opened, Page, site, type Answer, type Options } from './testPage';

describe('delivery', () => {
  test.each<Answer>([503, 500, 429, 'network error'])('tries again after %s, ever more slowly, and loses nothing', async (answer) => {
    const page = new Page();
    page.answers = [answer, answer, answer];
    await page.pass(100);
    page.api('while away');
    await page.pass(60_000);
    expect(page.hits.filter((hit) => hit.k === 'v')).toHaveLength(answer === 'network error' ? 1 : 4);
    expect(page.bodies.at(-1)?.h.length).toBeGreaterThan(0);
    expect(page.hits.some((hit) => hit.e === 'while away')).toBe(true);
    expect(new Set(page.hits.map((hit) => `${hit.p}:${hit.q}`)).size).toBe(page.hits.at(-1)!.q + 1);
  });

  test('does not repeat hits that the collector refuses permanently', async () => {
    const page = new Page();
    page.answers = [400];
    await page.pass(15_000);
    expect(page.kinds()).toBe('v');
  });

  test('stops after eight attempts where requests are blocked', async () => {
    const page = new Page();
    page.online = false;
    let tries = 0;
    const { fetch } = page.window;
    Object.assign(page.window, { fetch: (...call: Parameters<typeof fetch>) => ((tries += 1), fetch(...call)) });
    await page.pass(3600_000);
    expect(tries).toBe(8);
  });

  test('a request carries the clock of which its ages are measured', async () => {
    const page = new Page();
    await page.pass(100);
    expect(page.bodies[0]).toMatchObject({ d: page.now, h: [{ a: 100 }] });
  });

  test('cookies go along on the own host of the page only', async () => {
    const page = await opened();
    page.api('order');
    await page.pass(1000);
    expect([page.bodies.length, [...page.credentials]]).toEqual([2, ['same-origin']]);
  });

  test('unsent hits go with the next page and their true age', async () => {
    const page = await opened();
    page.online = false;
    page.api('offline');
    await page.pass(10_000);
    page.leave();
    const stored = { _sw: page.window.localStorage.getItem('_sw')!, [`_swq.${site}`]: page.window.localStorage.getItem(`_swq.${site}`)! };
    const next = new Page({ stored, now: page.now + 3600_000 });
    await next.pass(100);
    const late = next.hits.find((hit) => hit.e === 'offline');
    expect(late?.a).toBeGreaterThanOrEqual(3600_000);
    expect(next.bodies[0]?.u).toBe(stored._sw);
    expect(next.window.localStorage.getItem(`_swq.${site}`)).toBeNull();
  });

  test('the stored queue is small', async () => {
    const page = await opened();
    page.online = false;
    for (let i = 0; i < 200; i++) page.api(`event ${i}`, { text: 'x'.repeat(400) });
    await page.pass(1000);
    page.leave();
    const storedQueue = page.window.localStorage.getItem(`_swq.${site}`)!;
    expect(storedQueue.length).toBeLessThanOrEqual(20_000);
    expect(storedQueue).toContain('event 199');
    const next = new Page({ stored: { [`_swq.${site}`]: storedQueue, _sw: '0123456789abcdef' }, now: page.now - 86_400_000 });
    await next.pass(1000);
    expect(next.hits.length).toBeGreaterThan(10);
  });

  test('a beacon sends the rest at page end, or it is stored', async () => {
    const page = await opened();
    page.api('last words');
    page.leave();
    expect(page.bodies.at(-1)).toMatchObject({ by: 'beacon', h: expect.arrayContaining([expect.objectContaining({ e: 'last words' })]) as unknown });
    const other = await opened();
    other.beaconWorks = false;
    other.api('refused');
    other.leave();
    expect(other.window.localStorage.getItem(`_swq.${site}`)).toContain('refused');
  });

  test('sends many hits in requests of limited size', async () => {
    const page = await opened();
    for (let i = 0; i < 49; i++) page.api(`event ${i}`, { text: '长'.repeat(500) });
    await page.pass(5000);
    expect(page.hits.filter((hit) => hit.k === 'e')).toHaveLength(49);
    for (const body of page.bodies) expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(64 * 1024);
  });
});

describe('privacy', () => {
  const keys = (page: Page): string[] => Object.keys(page.window.localStorage);

  test('the visitor keeps one id', async () => {
    const first = await opened();
    const second = await opened({ stored: { _sw: first.window.localStorage.getItem('_sw')! } });
    expect(second.bodies[0]?.u).toBe(first.bodies[0]?.u);
  });

  test.each<[string, Options]>([
    ['Global Privacy Control', { gpc: true }],
    ['a site without ids', { tag: 'data-cookieless' }],
    ['consent not given yet', { tag: 'data-consent="required"' }],
    ['storage that throws', { storage: false }],
  ])('%s: counted without an id, and nothing is stored', async (_what, options) => {
    const page = await opened(options);
    expect(page.kinds()).toBe('v');
    expect(page.bodies[0]).not.toHaveProperty('u');
    page.online = false;
    page.api('x');
    page.leave();
    if (options.storage !== false) expect(keys(page)).toEqual([]);
  });

  test('consent stores an id for later pages, and withdrawing deletes it', async () => {
    const page = await opened({ tag: 'data-consent="required"' });
    page.api.consent(true);
    page.api('after');
    await page.pass(100);
    const id = page.bodies.at(-1)?.u;
    expect(id).toMatch(/^[0-9a-f]{16}$/);
    const next = await opened({ tag: 'data-consent="required"', stored: { _sw: id! } });
    expect(next.bodies[0]?.u).toBe(id);
    next.api.consent(false);
    next.api('without');
    await next.pass(100);
    expect(next.bodies.at(-1)).not.toHaveProperty('u');
    expect(Object.values(next.window.localStorage).join()).not.toContain(id);
    const refused = await opened({ stored: { _sw: next.window.localStorage.getItem('_sw')! } });
    expect(refused.bodies[0]).not.toHaveProperty('u');
  });

  test('opting out stops everything, also on later pages, until reversed', async () => {
    const page = await opened();
    page.api.optOut();
    page.api('x');
    await page.pass(60_000);
    page.leave();
    expect(page.kinds()).toBe('v');
    const stored = { _sw: page.window.localStorage.getItem('_sw')! };
    const next = await opened({ stored });
    expect(next.hits).toEqual([]);
    next.api.optOut(false);
    next.api('back');
    await next.pass(100);
    expect(next.hits.map((hit) => hit.e)).toEqual(['back']);
  });
});
