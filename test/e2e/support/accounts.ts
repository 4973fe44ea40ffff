import { hkdfSync } from 'node:crypto';
import { decodeBase32IgnorePadding } from '@oslojs/encoding';
import { generateTOTP } from '@oslojs/otp';
import { test as base, expect, type Browser, type BrowserContext, type Page } from '@playwright/test';
import type { User } from '../../../contract/session/schemas';
import type { Site } from '../../../contract/sites/schemas';
import { createSecrets } from '../../../server/secrets';
import type { Secrets } from '../../../server/secrets';
import { startMailServer, type MailServer } from '../../support/mailServer';
import { startSitewright, type Sitewright } from './sitewright';

export const password = 'correct horse battery staple';
export const owner = { loginName: 'lin.xiaoman', displayName: '林小满', password } as const;

export type Office = Sitewright & {
  readonly mail: MailServer;
  /** The program's key for signing links. */
  readonly secrets: Secrets;
  /** Calls the API with this context's session. */
  readonly ask: <T>(context: BrowserContext, method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>) => Promise<T>;
  readonly signIn: (context: BrowserContext, loginName?: string) => Promise<void>;
  readonly addSite: (context: BrowserContext, name: string) => Promise<Site>;
  /** Creates a person by invitation; called as the owner. */
  readonly join: (browser: Browser, person: { loginName: string; displayName: string; email?: string; role?: string }) => Promise<BrowserContext>;
};

const secretKey = 'the key of an office that tests are made in';

/** Starts the program with its mail server and owner. `options`: as of the command line, beside those for mail. */
export async function startOffice(...options: readonly string[]): Promise<Office> {
  const mail = await startMailServer();
  const program = await startSitewright('--smtp-url', mail.url, '--mail-from', 'Sitewright <console@example.com>', '--secret-key', secretKey, ...options);
  const ask: Office['ask'] = async <T>(
    context: BrowserContext,
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const answer = await context.request.fetch(program.origin + path, {
      method,
      ...(body === undefined ? {} : { data: body }),
      headers: { origin: program.origin, 'x-requested-with': 'console', ...headers },
    });
    if (!answer.ok()) throw new Error(`${method} ${path} answered ${answer.status()}: ${await answer.text()}`);
    return answer.status() === 204 ? (undefined as T) : ((await answer.json()) as { data: T }).data;
  };
  const signIn: Office['signIn'] = (context, loginName = owner.loginName) => ask(context, 'POST', '/api/acc/sign/in', { login: loginName, password });
  await fetch(`${program.origin}/api/acc/sign/setup`, {
    method: 'POST',
    headers: { origin: program.origin, 'content-type': 'application/json' },
    body: JSON.stringify({ ...owner, token: program.setUpLink.split('#t=')[1] }),
  });
  return {
    ...program,
    mail,
    secrets: createSecrets(Buffer.from(hkdfSync('sha256', secretKey, '', 'SECRET_KEY', 32))),
    ask,
    signIn,
    addSite: (context, name) => ask(context, 'POST', '/api/core/sites', { name, purpose: 'external', url: 'https://shop.example/' }),
    async join(browser, { loginName, displayName, email, role = 'member' }) {
      const inviter = await browser.newContext({ baseURL: program.origin });
      await signIn(inviter);
      const { url } = await ask<{ url: string }>(inviter, 'POST', '/api/acc/invites', { role, email: email ?? null });
      await inviter.close();
      const context = await browser.newContext({ baseURL: program.origin });
      await ask(context, 'POST', '/api/acc/sign/invite', { token: url.split('#t=')[1], loginName, displayName, password });
      return context;
    },
    async stop() {
      await program.stop();
      await mail.stop();
    },
  };
}

type Mine = {
  /** A page of the owner, signed in. */ readonly desk: Page;
};

/** Changes the language of the console, which is stored with the account. */
export async function speak(office: Office, context: BrowserContext, language: User['locale']): Promise<void> {
  const { userId } = await office.ask<{ userId: string }>(context, 'GET', '/api/acc/token/session');
  const { locale, revision } = await office.ask<{ locale: string; revision: number }>(context, 'GET', `/api/acc/user/${userId}`);
  if (locale !== language)
    await office.ask(context, 'PATCH', `/api/acc/user/${userId}`, { locale: language, colorScheme: 'light' }, { 'if-match': `"${revision}"` });
}

/** Tests of accounts against the real program and a real mail server, one of each per worker. */
export const test = base.extend<Mine, { office: Office }>({
  office: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const office = await startOffice();
      await use(office);
      await office.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ office }, use) => use(office.origin),
  desk: async ({ context, page, office }, use, info) => {
    await office.signIn(context);
    // An earlier test may have changed it.
    await speak(office, context, 'zh-CN');
    await use(page);
    if (info.status !== info.expectedStatus) await info.attach('what the program said', { body: office.said() });
  },
});

/** The code of an authenticator app for a secret, `ahead` 30-second steps later. */
export const codeFor = (secret: string, ahead = 0): string => {
  const at = Date.now;
  try {
    // @oslojs/otp reads the system clock.
    Date.now = () => at() + ahead * 30_000;
    return generateTOTP(decodeBase32IgnorePadding(secret.replaceAll(' ', '')), 30, 6);
  } finally {
    Date.now = at;
  }
};

/** Enables the authenticator from its button; returns its secret and the recovery codes. */
export async function turnOnAuthenticator(page: Page): Promise<{ readonly secret: string; readonly codes: readonly string[] }> {
  await page.getByRole('button', { name: '开启身份验证器' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByAltText('供验证器应用扫描的二维码')).toBeVisible();
  const secret = (await dialog.locator('code').innerText()).replaceAll(' ', '');
  await dialog.getByLabel('验证码').fill(codeFor(secret));
  await expect(dialog.getByRole('listitem')).toHaveCount(10);
  const codes = await dialog.getByRole('listitem').allInnerTexts();
  await dialog.getByLabel('我已经保存好恢复码').check();
  await dialog.getByRole('button', { name: '完成' }).click();
  await expect(dialog).toBeHidden();
  return { secret, codes };
}

/**
 * A virtual device with passkeys in the browser of `page`, which approves everything while `answers` is true. It answers a request in the
 * name field (conditional mediation) at once, as it does a dialog: `answer(false)` prevents that.
 */
export async function addAuthenticator(page: Page): Promise<{ readonly answer: (enabled: boolean) => Promise<void>; readonly remove: () => Promise<void> }> {
  const protocol = await page.context().newCDPSession(page);
  await protocol.send('WebAuthn.enable');
  const { authenticatorId } = await protocol.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    answer: (enabled) => protocol.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }).then(() => undefined),
    remove: () => protocol.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }).then(() => undefined),
  };
}

/** Fills in name and password on the sign page and submits them. */
export async function typeNameAndPassword(page: Page, loginName: string, typed: string = password): Promise<void> {
  await page.getByLabel('登录名或邮箱').fill(loginName);
  await page.getByLabel('密码', { exact: true }).fill(typed);
  await page.getByRole('button', { name: '登录', exact: true }).click();
}

export { expect };
