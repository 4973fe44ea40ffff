import { test as base, expect, type BrowserContext, type Locator, type Page } from '@playwright/test';
import type { User } from '../../../contract/session/schemas';
import type { Site } from '../../../contract/sites/schemas';
import { startSitewright, type Sitewright } from './sitewright';

export const owner = { loginName: 'lin.xiaoman', displayName: '林小满', password: 'correct horse battery staple' };

export type ConsoleProgram = Sitewright & {
  /** The site with ninety days of generated traffic. */
  readonly demo: Site;
  /** Creates a session for everything in this context. */
  readonly signIn: (context: BrowserContext) => Promise<void>;
  /** Calls the API with this context's session. */
  readonly ask: <T>(context: BrowserContext, method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<T>;
  readonly addSite: (context: BrowserContext, name: string) => Promise<Site>;
  /** The owner's language and look, as stored with the account. */
  readonly prefer: (context: BrowserContext, choice: Partial<Pick<User, 'locale' | 'colorScheme' | 'primary'>>) => Promise<void>;
};

/** Starts the built program with the demo site and its owner. */
export async function startConsole(): Promise<ConsoleProgram> {
  const program = await startSitewright('--demo', '--demo-visits=0');
  const ask: ConsoleProgram['ask'] = async <T>(context: BrowserContext, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const answer = await context.request.fetch(program.origin + path, {
      method,
      ...(body === undefined ? {} : { data: body }),
      headers: { origin: program.origin, 'x-requested-with': 'console', ...headers },
    });
    if (!answer.ok()) throw new Error(`${method} ${path} answered ${answer.status()}: ${await answer.text()}`);
    return answer.status() === 204 ? (undefined as T) : ((await answer.json()) as { data: T }).data;
  };
  const answer = await fetch(`${program.origin}/api/acc/sign/setup`, {
    method: 'POST',
    headers: { origin: program.origin, 'content-type': 'application/json' },
    body: JSON.stringify({ ...owner, token: program.setUpLink.split('#t=')[1] }),
  });
  const cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const fetchData = async <T>(path: string): Promise<T> => ((await (await fetch(program.origin + path, { headers: { cookie } })).json()) as { data: T }).data;
  const { sites } = await fetchData<{ sites: Site[] }>('/api/core/load/rpm');
  const demo = sites.find((site) => site.demo);
  if (demo === undefined) throw new Error('There is no demo site');
  // Traffic and content are generated in the background; growing figures cannot be compared.
  await expect
    .poll(
      async () => (await fetchData<{ kind: string; state: string }[]>('/api/core/jobs')).filter(({ kind }) => kind.startsWith('demo.')).map((job) => job.state),
      { timeout: 120_000 },
    )
    .toEqual(['done', 'done']);
  return {
    ...program,
    demo,
    ask,
    signIn: (context) => ask(context, 'POST', '/api/acc/sign/in', { login: owner.loginName, password: owner.password }),
    addSite: (context, name) => ask(context, 'POST', '/api/core/sites', { name, purpose: 'external', url: 'https://shop.example/' }),
    async prefer(context, choice) {
      const session = await ask<{ userId: string }>(context, 'GET', '/api/acc/token/session');
      // An open console may save a preference concurrently: read and write again until there is no conflict.
      await expect(async () => {
        const user = await ask<User>(context, 'GET', `/api/acc/user/${session.userId}`);
        await ask(context, 'PATCH', `/api/acc/user/${user.id}`, choice, { 'if-match': `"${user.revision}"` });
      }).toPass({ timeout: 10_000 });
    },
  };
}

type Mine = {
  /** A page of a signed-in person. */
  readonly desk: Page;
};

/**
 * Tests of the console against the real program. One program per worker serves all tests, with its owner and the demo site;
 * every test has its own browser context, and with `desk` its own session.
 */
export const test = base.extend<Mine, { program: ConsoleProgram }>({
  program: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const program = await startConsole();
      await use(program);
      await program.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: async ({ program }, use) => use(program.origin),
  desk: async ({ context, page, program }, use, info) => {
    await program.signIn(context);
    await use(page);
    if (info.status !== info.expectedStatus) await info.attach('what the program said', { body: program.said() });
  },
});

export const title = (page: Page, name: string | RegExp): Locator => page.getByRole('heading', { level: 1, name, exact: true });
export const rail = (page: Page, name: string): Locator => page.getByRole('navigation', { name: '导航' }).getByRole('link', { name, exact: true });

/** Opens a screen and waits until nothing is being fetched. */
export async function open(page: Page, path: string, heading: string | RegExp): Promise<void> {
  await page.goto(path);
  await expect(title(page, heading)).toBeVisible();
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
}

/** Fills in and submits the sign page. */
export async function signInByHand(page: Page): Promise<void> {
  await page.getByLabel('登录名或邮箱').fill(owner.loginName);
  await page.getByLabel('密码', { exact: true }).fill(owner.password);
  await page.getByRole('button', { name: '登录', exact: true }).click();
}

/** Holds something back until it is opened. */
export function createGate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let letThrough = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  return { opened, open: () => letThrough() };
}

/** The number of documents the page has loaded since the call, including the current one. */
export function countDocuments(page: Page): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) count += 1;
  });
  return () => count;
}

export { expect };
