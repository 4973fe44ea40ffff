/** @jest-environment node */
import { JSDOM } from 'jsdom';
import type { Hit } from '../contract/collect/schemas';
import { opened, Page, script, site, type Options } from './testPage';

describe('a page view', () => {
  test('sends address, title, referrer, screen and language to the collector', async () => {
    const page = await opened();
    expect(page.addresses).toEqual(['https://console.example/collect']);
    expect(page.bodies[0]).toMatchObject({ s: site, u: expect.stringMatching(/^[0-9a-f]{16}$/) as string });
    expect(page.hits).toEqual([
      {
        k: 'v',
        p: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
        q: 0,
        a: 100,
        l: 'https://shop.example/list?a=1#top',
        n: '列表',
        r: 'https://news.example/',
        w: 0,
        h: 0,
        g: 'en-US',
      },
    ]);
  });

  test('is counted once when the tag is present twice', async () => {
    const page = new Page();
    page.run();
    await page.pass(1000);
    expect(page.kinds()).toBe('v');
  });

  test.each([
    ['pushState with another path', (h: History) => h.pushState({}, '', '/item/1'), 'vv'],
    ['replaceState with another path', (h: History) => h.replaceState({}, '', '/item/1'), 'vv'],
    ['the same path', (h: History) => h.pushState({}, '', '/list'), 'v'],
    ['another query', (h: History) => h.replaceState({}, '', '/list?a=2'), 'v'],
    ['another fragment', (h: History) => h.pushState({}, '', '#reviews'), 'v'],
  ])('in an application: %s', async (_what, move, kinds) => {
    const page = await opened();
    move(page.window.history);
    await page.pass(100);
    expect(page.kinds().replaceAll('g', '')).toBe(kinds);
  });

  test('in an application uses the previous address and a late title', async () => {
    const page = await opened();
    page.window.history.pushState({}, '', '/item/1');
    page.window.document.title = '商品';
    await page.pass(100);
    const [first, second] = page.hits.filter((hit) => hit.k === 'v');
    expect(second).toMatchObject({ q: 0, l: 'https://shop.example/item/1', n: '商品', r: 'https://shop.example/list?a=1#top' });
    expect(second?.p).not.toBe(first?.p);
  });

  test('keeps its own title when the reader navigates at once', async () => {
    const page = await opened();
    page.window.history.pushState({}, '', '/a');
    page.window.document.title = 'A';
    page.window.history.pushState({}, '', '/b');
    page.window.document.title = 'B';
    await page.pass(100);
    expect(page.hits.filter((hit) => hit.k === 'v').map((hit) => hit.n)).toEqual(['列表', 'A', 'B']);
  });

  test('counts fragments only when configured and marks them as path', async () => {
    const page = await opened({ tag: 'data-hash' });
    expect(page.bodies[0]?.f).toBe('');
    expect((await opened()).bodies[0]).not.toHaveProperty('f');
    page.window.location.hash = '#/cart';
    page.fire('hashchange');
    page.fire('popstate');
    await page.pass(100);
    expect(page.hits.filter((hit) => hit.k === 'v').map((hit) => hit.l)).toEqual(['https://shop.example/list?a=1#top', 'https://shop.example/list?a=1#/cart']);
  });

  test('counts as new when restored from the back-forward cache', async () => {
    const page = await opened();
    page.leave();
    await page.pass(60_000);
    page.visible = true;
    page.fire('pageshow', 'window', { persisted: true });
    await page.pass(100);
    const views = page.hits.filter((hit) => hit.k === 'v');
    expect(views).toHaveLength(2);
    expect(views[1]?.r).toBe('https://shop.example/list?a=1#top');
  });

  test('is not counted outside the web', async () => {
    const page = new Page({ url: 'about:blank', storage: false });
    await page.pass(1000);
    expect(page.hits).toEqual([]);
  });
});

describe('engaged time', () => {
  const engaged = (page: Page): number => Math.max(0, ...page.hits.map((hit) => hit.m ?? 0));

  test('a visit of six minutes is six minutes, reported continuously', async () => {
    const page = await opened();
    await page.pass(6 * 60_000 - 100);
    const pings = page.hits.filter((hit) => hit.k === 'g');
    expect(pings.length).toBeGreaterThanOrEqual(12);
    page.leave();
    expect(engaged(page)).toBe(6 * 60_000);
    expect(page.hits.map((hit) => hit.q)).toEqual([...page.hits.keys()]);
    expect(new Set(page.hits.map((hit) => hit.p)).size).toBe(1);
  });

  test('stops while the page is hidden or unfocused', async () => {
    const page = await opened();
    await page.pass(9_900);
    page.setVisible(false);
    await page.pass(300_000);
    page.setVisible(true);
    await page.pass(5_000);
    page.focused = false;
    page.fire('blur');
    await page.pass(300_000);
    page.leave();
    expect(engaged(page)).toBe(15_000);
  });

  test('excludes the time while the computer sleeps', async () => {
    const page = await opened();
    page.now += 8 * 3600_000;
    page.leave();
    expect(engaged(page)).toBeLessThanOrEqual(30_000);
  });

  test('belongs to its own view in an application', async () => {
    const page = await opened();
    await page.pass(29_900);
    page.window.history.pushState({}, '', '/next');
    await page.pass(10_000);
    page.leave();
    const [first, second] = page.hits
      .filter((hit) => hit.k === 'v')
      .map((view) => Math.max(...page.hits.filter((hit) => hit.p === view.p).map((hit) => hit.m ?? 0)));
    expect([first, second]).toEqual([30_000, 10_000]);
    expect(
      page.hits
        .filter((hit) => hit.k === 'g')
        .every((hit, _i, all) => hit.l === (hit.p === all[0]?.p ? 'https://shop.example/list?a=1#top' : 'https://shop.example/next')),
    ).toBe(true);
  });
});

describe('events', () => {
  test('queued before the script loads are sent after the view', async () => {
    const page = await opened({
      before: `<script>window.sitewright = function () { (sitewright.q = sitewright.q || []).push(arguments) }; sitewright('sign up', { plan: 'pro', seats: 3 })</script>`,
    });
    expect(page.hits).toMatchObject([
      { k: 'v', q: 0 },
      { k: 'e', q: 1, e: 'sign up', o: { plan: 'pro', seats: 3 } },
    ]);
  });

  test('contain plain values only, and invalid input is harmless', async () => {
    const page = await opened();
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    page.api('buy', { price: 9.5, first: true, none: null, items: [1, 2], gone: undefined });
    page.api('broken', circular);
    page.api(undefined);
    await page.pass(100);
    expect(page.hits[1]).toMatchObject({ e: 'buy', o: { price: 9.5, first: true, none: null, items: '[1,2]' } });
    expect(page.hits.map((hit) => hit.e)).not.toContain('broken');
  });
});

describe('links', () => {
  const click = async (html: string, how: { type?: string; button?: number; id?: string; page?: (event: Event) => void } = {}): Promise<Hit[]> => {
    const page = await opened();
    const { document: doc, MouseEvent: Mouse } = page.window;
    doc.body.innerHTML = html;
    // The tracker must not keep the browser from following the link.
    let prevented = true;
    doc.addEventListener('click', (event) => (prevented = event.defaultPrevented));
    if (how.page) doc.addEventListener('click', how.page);
    doc
      .querySelector(how.id ?? 'a, area')
      ?.dispatchEvent(new Mouse(how.type ?? 'click', { bubbles: true, composed: true, cancelable: true, button: how.button ?? 0 }));
    if ((how.type ?? 'click') === 'click' && !how.page) expect(prevented).toBe(false);
    await page.pass(1);
    page.leave();
    return page.hits.filter((hit) => hit.k === 'e');
  };
  const outbound = (url: string) => [{ e: '$outbound', o: { url } }];

  test('that leave the site are sent, also for nested elements', async () => {
    expect(await click('<a href="https://other.example/x?a=1"><b><i>go</i></b></a>', { id: 'i' })).toMatchObject(outbound('https://other.example/x?a=1'));
    expect(await click('<a href="https://other.example/">x</a>', { type: 'auxclick', button: 1 })).toMatchObject(outbound('https://other.example/'));
    expect(await click('<map><area href="//other.example/map"></map>')).toMatchObject(outbound('https://other.example/map'));
  });

  test('are sent when the page ends before its timers run', async () => {
    const page = await opened();
    page.window.document.body.innerHTML = '<a href="https://other.example/">x</a>';
    page.window.document.querySelector('a')?.dispatchEvent(new page.window.MouseEvent('click', { bubbles: true, composed: true, cancelable: true }));
    page.leave();
    expect(page.hits.filter((hit) => hit.k === 'e')).toMatchObject(outbound('https://other.example/'));
    await page.pass(200);
    expect(page.hits.filter((hit) => hit.k === 'e')).toHaveLength(1);
  });

  test('in an SVG are sent like any other', async () => {
    // jsdom does not support SVG links: in browsers their `href` is an object with the text as written.
    const hitsAfterClick = async (href: string): Promise<Hit[]> => {
      const page = await opened();
      const { document: doc, MouseEvent: Mouse } = page.window;
      doc.body.innerHTML = '<svg><a></a></svg>';
      const link = doc.querySelector('a') as Element;
      Object.defineProperty(link, 'href', { value: { baseVal: href } });
      link.dispatchEvent(new Mouse('click', { bubbles: true, composed: true, cancelable: true }));
      await page.pass(1);
      page.leave();
      return page.hits.filter((hit) => hit.k === 'e');
    };
    expect(await hitsAfterClick('https://other.example/drawn')).toMatchObject(outbound('https://other.example/drawn'));
    expect(await hitsAfterClick('/files/plan.pdf')).toMatchObject([{ e: '$download', o: { url: 'https://shop.example/files/plan.pdf', file: 'plan.pdf' } }]);
    expect(await hitsAfterClick('/next')).toEqual([]);
  });

  test('that the page prevents the browser from following are not sent', async () => {
    expect(await click('<a href="https://other.example/">x</a>', { page: (event) => event.preventDefault() })).toEqual([]);
    expect(await click('<a href="https://other.example/">x</a>', { page: (event) => event.stopPropagation() })).toMatchObject(
      outbound('https://other.example/'),
    );
  });

  test.each(['/files/%E4%BB%B7%E7%9B%AE.PDF?v=2#p', 'https://cdn.example/app-1.2.tar.gz'])('to a file are sent as a download: %s', async (href) => {
    const [event] = await click(`<a href="${href}">x</a>`);
    expect(event).toMatchObject({ e: '$download', o: { url: new URL(href, 'https://shop.example/').href } });
    expect(event?.o?.['file']).toBe(new URL(href, 'https://shop.example/').pathname.split('/').pop());
  });

  test('with a download attribute are downloads, whatever their name', async () => {
    expect(await click('<a href="/export" download="list">x</a>')).toMatchObject([{ e: '$download', o: { file: 'export' } }]);
  });

  test.each([
    ['inside the site', '<a href="/next">x</a>', {}],
    ['to a part of the page', '<a href="#top">x</a>', {}],
    ['of mail', '<a href="mailto:a@b.example">x</a>', {}],
    ['of scripts', '<a href="javascript:void 0">x</a>', {}],
    ['opened with the right button', '<a href="https://other.example/">x</a>', { type: 'auxclick', button: 2 }],
    ['without an address', '<a>x</a>', {}],
  ])('%s are not', async (_what, html, how) => {
    expect(await click(html, how)).toEqual([]);
  });
});

describe('the features of t.more.js', () => {
  const submit = async (html: string, more: boolean): Promise<Hit[]> => {
    const page = await opened({ more });
    const { document: doc, Event: Submit } = page.window;
    doc.body.innerHTML = html;
    doc.addEventListener('submit', (event) => event.preventDefault());
    doc.querySelector('form')?.dispatchEvent(new Submit('submit', { bubbles: true, cancelable: true }));
    await page.pass(200);
    return page.hits.filter((hit) => hit.k === 'e');
  };

  test.each([
    ['its id', '<form id="newsletter"><input name="id"></form>', 'newsletter'],
    ['its name', '<form name="contact"><input name="name"></form>', 'contact'],
    ['where it is sent', '<form action="/orders?step=2"></form>', '/orders'],
  ])('a submitted form is identified by %s, without its content', async (_what, html, form) => {
    expect(await submit(html, true)).toMatchObject([{ e: '$form', o: { form } }]);
    expect(await submit(html, false)).toEqual([]);
  });

  test('a page with status 404 is sent with its address', async () => {
    const sentEvents = async (options: Options) => (await opened(options)).hits.filter((hit) => hit.k === 'e').map((hit) => [hit.e, hit.o]);
    expect(await sentEvents({ more: true, status: 404 })).toEqual([['$404', { url: 'https://shop.example/list?a=1#top' }]]);
    expect(await sentEvents({ more: true, status: 200 })).toEqual([]);
    expect(await sentEvents({ more: true })).toEqual([]);
    expect(await sentEvents({ status: 404 })).toEqual([]);
  });

  test('system version and model are sent where the browser provides them', async () => {
    const device = { platformVersion: '15.0.0', model: 'Pixel 8' };
    expect((await opened({ more: true, device })).bodies[0]?.c).toEqual(['15.0.0', 'Pixel 8']);
    expect((await opened({ more: true })).bodies[0]).not.toHaveProperty('c');
    expect((await opened({ device })).bodies[0]).not.toHaveProperty('c');
  });
});

test('no error reaches the page, whatever API is missing', async () => {
  for (const broken of ['fetch', 'crypto', 'localStorage', 'performance', 'history', 'navigator'] as const) {
    const page = new Page();
    const { window } = page;
    const fresh = new JSDOM(window.document.documentElement.outerHTML, { url: 'https://shop.example/', runScripts: 'outside-only' });
    Object.defineProperty(fresh.window, broken, {
      get: () => {
        throw new Error('missing');
      },
    });
    expect(() => void fresh.window.eval(script)).not.toThrow();
    fresh.window.close();
  }
});
