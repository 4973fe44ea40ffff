import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { countDocuments, createGate, expect, open, owner, rail, test, title } from './support/console';

/** Addresses, lazily loaded parts, failing or slow networks, and Redux DevTools. */

test.describe('addresses', () => {
  test('that are aliases redirect', async ({ desk, program }) => {
    const { id } = program.demo;
    for (const [from, to, heading] of [
      ['/', '/home', '站点'],
      ['/home/create', '/home/create/home_create_empty', '添加站点'],
      ['/account', '/account/center/account_center', '个人中心'],
      [`/site/${id}`, `/site/${id}/dashboard`, '仪表盘'],
      [`/site/${id}/als?range=last7&compare=previous`, `/site/${id}/als/overview?range=last7&compare=previous`, '概况'],
    ] as const) {
      await test.step(from, async () => {
        await desk.goto(from);
        await expect(title(desk, heading)).toBeVisible();
        expect(desk.url()).toBe(program.origin + to);
      });
    }
  });

  test('that do not exist show an error inside the frame', async ({ desk, program }) => {
    const frame = desk.getByRole('navigation', { name: '导航' });
    for (const path of ['/nowhere/at/all', '/account/nowhere']) {
      await desk.goto(path);
      await expect(title(desk, '404 Not Found')).toBeVisible();
      await expect(frame).toBeVisible();
    }
    await desk.goto('/site/zzzzzzzzzzzz/als/trend');
    await expect(title(desk, '找不到站点')).toBeVisible();
    await desk.getByRole('main').getByRole('link', { name: '回到站点列表' }).click();
    await expect(title(desk, '站点')).toBeVisible();
    expect(desk.url()).toBe(`${program.origin}/home`);
  });
});

test.describe('parts of the console', () => {
  /** Files that only the contacts page needs; parts have numbers instead of names. */
  const { patches } = JSON.parse(readFileSync('dist/console/manifest.json', 'utf8')) as { patches: Record<string, string[]> };
  const contacts = '/account/contacts/account_contacts';
  const others = new Set(Object.entries(patches).flatMap(([route, files]) => (route === contacts ? [] : files)));
  const own = new Set((patches[contacts] ?? []).filter((file) => !others.has(file)));
  const contactsPart = (url: URL): boolean => own.has(url.pathname);
  const newRelease = (page: Page): Promise<unknown> =>
    page.route('**/__manifest?**', (route) => route.fulfill({ json: { version: 'next', current: false, patches: {} } }));

  test('that a release has replaced are fetched by one reload', async ({ desk }) => {
    await newRelease(desk);
    await desk.route(contactsPart, (route) => route.fulfill({ status: 404 }), { times: 1 });
    const documents = countDocuments(desk);
    await desk.goto('/account/contacts/account_contacts');
    await expect(title(desk, '联系人')).toBeVisible();
    expect(documents()).toBe(2);
  });

  test('that stay missing show a retry instead of reloading forever', async ({ desk }) => {
    await newRelease(desk);
    await desk.route(contactsPart, (route) => route.fulfill({ status: 404 }));
    const documents = countDocuments(desk);
    await desk.goto('/account/contacts/account_contacts');
    const alert = desk.getByRole('alert').filter({ hasText: '页面的一部分加载失败' });
    await expect(alert).toContainText('ChunkLoadError');
    expect(documents()).toBe(2);
    await expect(rail(desk, '个人中心')).toBeVisible();

    await desk.unroute(contactsPart);
    await alert.getByRole('button', { name: '重试' }).click();
    await expect(title(desk, '联系人')).toBeVisible();
    expect(documents()).toBe(3);
  });

  test('that are missing without a new release cause no reload', async ({ desk }) => {
    await desk.route(contactsPart, (route) => route.abort());
    const documents = countDocuments(desk);
    await desk.goto('/account/contacts/account_contacts');
    await expect(desk.getByRole('alert').filter({ hasText: '页面的一部分加载失败' })).toBeVisible();
    expect(documents()).toBe(1);
  });

  /** The styles of the records screen, which are a separate file. */
  const styles = new Set((patches['/site/:siteId/table/records'] ?? []).filter((file) => file.endsWith('.css')));
  const stylePart = (url: URL): boolean => styles.has(url.pathname);

  test('whose styles fail to load show an error and can be retried', async ({ desk, program }) => {
    const site = await program.addSite(desk.context(), '没有内容表');
    await desk.route(stylePart, (route) => route.abort());
    await desk.goto(`/site/${site.id}/table/records`);
    const alert = desk.getByRole('alert').filter({ hasText: '页面的一部分加载失败' });
    await expect(alert).toContainText('CSS_CHUNK_LOAD_FAILED');
    await expect(alert).toContainText('.css');
    await expect(rail(desk, '分析')).toBeVisible();

    await desk.unroute(stylePart);
    await alert.getByRole('button', { name: '重试' }).click();
    await expect(title(desk, '内容表')).toBeVisible();
    await expect(alert).toHaveCount(0);
  });

  test('whose styles hang time out after two minutes and can be retried', async ({ desk, program }) => {
    const site = await program.addSite(desk.context(), '没有内容表');
    await desk.clock.install();
    const held = createGate();
    await desk.route(stylePart, async (route) => {
      await held.opened;
      await route.abort().catch(() => undefined);
    });
    // Its time limit must not pass with the clock.
    const sites = desk.waitForResponse((one) => one.url().includes('/api/core/load/rpm'));
    await desk.goto(`/site/${site.id}/table/records`, { waitUntil: 'commit' });
    await (await sites).finished();
    await expect(desk.getByText('正在加载记录…')).toBeVisible();
    const alert = desk.getByRole('alert').filter({ hasText: 'CSS_CHUNK_LOAD_FAILED' });
    await desk.clock.runFor(110_000);
    await expect(alert).toHaveCount(0);
    // Counted from when the page asked for them, which is later than this test began.
    await desk.clock.runFor(30_000);
    await expect(alert).toContainText('页面的一部分 120 秒内没有送达');

    await desk.unroute(stylePart);
    held.open();
    await alert.getByRole('button', { name: '重试' }).click();
    await expect(title(desk, '内容表')).toBeVisible();
  });

  test('that load slowly are announced by name', async ({ desk }) => {
    const late = createGate();
    await desk.route(contactsPart, async (route) => {
      await late.opened;
      await route.continue();
    });
    await open(desk, '/home', '站点');
    await rail(desk, '联系人').click();
    await expect(desk.getByText('正在加载联系人…')).toBeVisible();
    await expect(title(desk, '站点')).toBeHidden();
    late.open();
    await expect(title(desk, '联系人')).toBeVisible();
    await expect(desk.getByText('正在加载联系人…')).toHaveCount(0);
  });

  test('are prefetched in few requests, each once, with short addresses', async ({ desk }) => {
    const manifestUrls: URL[] = [];
    desk.on('request', (request) => {
      const url = new URL(request.url());
      if (url.pathname === '/__manifest') manifestUrls.push(url);
    });
    await open(desk, '/home', '站点');
    await expect.poll(() => manifestUrls.length).toBeGreaterThan(0);
    expect(manifestUrls[0]?.searchParams.getAll('p').length).toBeGreaterThan(3);

    const before = manifestUrls.length;
    await desk.evaluate(() => {
      const add = (at: number): void => {
        const link = document.createElement('a');
        link.href = `/site/${String(at).padStart(12, 'a')}/als/overview`;
        document.body.append(link);
      };
      for (let at = 0; at < 400; at += 1) add(at);
    });
    const paths = (): string[] => manifestUrls.flatMap((url) => url.searchParams.getAll('p'));
    await expect.poll(() => paths().filter((path) => path.includes('aaaaaaaa')).length).toBe(400);
    expect(manifestUrls.length - before).toBeLessThanOrEqual(4);
    expect(new Set(paths()).size).toBe(paths().length);
    for (const url of manifestUrls) {
      expect(url.href.length).toBeLessThanOrEqual(7680);
      expect(url.searchParams.getAll('version')).toHaveLength(1);
    }
  });

  test('of a new release load on the next navigation, after a notice', async ({ desk }) => {
    await open(desk, '/home', '站点');
    await desk.route('**/api/acc/token/session', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, headers: { ...answer.headers(), 'x-build': 'next' } });
    });
    await desk.getByRole('button', { name: `我的账号：${owner.displayName}` }).click();
    await desk.getByRole('menuitem', { name: '刷新登录状态' }).click();
    const banner = desk.getByText('已发布新版本，下次切换页面时会自动更新。');
    await expect(banner).toBeVisible();

    await desk.unroute('**/api/acc/token/session');
    const documents = countDocuments(desk);
    await rail(desk, '联系人').click();
    await expect(banner).toHaveCount(0);
    await expect(title(desk, '联系人')).toBeVisible();
    expect(documents()).toBe(1);
  });
});

test.describe('networks', () => {
  const views = (page: Page) => page.getByRole('button', { name: /^浏览量 \(PV\) [\d.,]+.*，查看说明$/ });

  test('that are offline keep the figures, show it and catch up', async ({ context, desk, program }) => {
    await open(desk, `/site/${program.demo.id}/als/trend?range=last7`, '趋势');
    const before = await views(desk).textContent();
    await context.setOffline(true);
    const banner = desk.getByText('网络已断开');
    await expect(banner).toBeVisible();
    await expect(views(desk)).toHaveText(before ?? '');

    const caughtUp = desk.waitForResponse((answer) => answer.url().includes('/als/report') && answer.ok());
    await context.setOffline(false);
    await expect(banner).toHaveCount(0);
    await caughtUp;
    await expect(views(desk)).toHaveText(before ?? '');
  });

  test('that are slow show a skeleton first and never blank figures later', async ({ desk, program }) => {
    let report = createGate();
    await desk.route('**/als/report?*', async (route) => {
      await report.opened;
      await route.continue();
    });
    await desk.goto(`/site/${program.demo.id}/als/trend?range=last7`);
    await expect(title(desk, '趋势')).toBeVisible();
    const waiting = desk.getByRole('main').locator('[aria-busy="true"]');
    await expect(waiting.first()).toBeVisible();
    await expect(views(desk)).toHaveCount(0);
    report.open();
    await expect(views(desk)).toBeVisible();
    await expect(waiting).toHaveCount(0);

    const before = (await views(desk).textContent()) ?? '';
    report = createGate();
    await desk.getByRole('button', { name: /最近 7 天/ }).click();
    await desk.getByRole('button', { name: '最近 30 天', exact: true }).click();
    await expect(waiting.filter({ has: views(desk) })).toHaveCSS('opacity', '0.5');
    await expect(views(desk)).toHaveText(before);
    report.open();
    await expect(views(desk)).not.toHaveText(before);
    await expect(waiting).toHaveCount(0);
  });
});

test.describe('Redux DevTools', () => {
  type ListedAction = { readonly type: string; readonly requestId?: string | null };
  type Sight = { readonly names: string[]; readonly actions: ListedAction[] };

  /** Imitates the browser extension: passed to `compose`, it lists every action under the console's names. */
  const installExtension = (page: Page): Promise<unknown> =>
    page.addInitScript(() => {
      type Store = { dispatch: (action: ListedAction) => unknown };
      type Options = { name: string; actionsDenylist: string[]; actionSanitizer: (action: ListedAction) => ListedAction };
      const sight: Sight = { names: [], actions: [] };
      const listing =
        (options: Options) =>
        (make: (...storeArgs: unknown[]) => Store) =>
        (reducer: (state: unknown, action: ListedAction) => unknown, ...rest: unknown[]) =>
          make(
            (state: unknown, action: ListedAction) => {
              if (!options.actionsDenylist.some((pattern) => new RegExp(pattern).test(action.type))) sight.actions.push(options.actionSanitizer(action));
              return reducer(state, action);
            },
            ...rest,
          );
      const compose = (options: Options) => {
        sight.names.push(options.name);
        return (...enhancers: ((make: unknown) => unknown)[]) =>
          (make: unknown): unknown =>
            enhancers.reduceRight((storeCreator, enhance) => enhance(storeCreator), listing(options)(make as never) as unknown);
      };
      Object.assign(globalThis, { sight, __REDUX_DEVTOOLS_EXTENSION_COMPOSE__: compose });
    });
  const sightOf = (page: Page): Promise<Sight> => page.evaluate(() => (globalThis as unknown as { sight: Sight }).sight);

  test('are connected on request, with readable actions and request ids', async ({ desk }) => {
    await installExtension(desk);
    await desk.addInitScript(() => sessionStorage.setItem('console:devtools', '1'));
    await open(desk, '/home', '站点');
    const { names, actions } = await sightOf(desk);
    expect(names).toEqual(['Sitewright console']);
    expect(actions.map((action) => action.type)).toEqual(expect.arrayContaining(['api · session · fulfilled', 'api · load · fulfilled']));
    expect(actions.find((action) => action.type === 'api · load · fulfilled')?.requestId).toMatch(/\S{8,}/);
  });

  test('are otherwise not connected', async ({ desk }) => {
    await installExtension(desk);
    await open(desk, '/home', '站点');
    expect(await sightOf(desk)).toEqual({ names: [], actions: [] });
  });
});
