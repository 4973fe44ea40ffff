import { createServer, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, type Page } from '@playwright/test';
import { chromiumArgs, chromiumPath } from '../../support/chromium';

export type Visitor = { readonly page: Page; /** Closes the browser after its last hits have been sent. */ readonly leave: () => Promise<void> };

/**
 * A visitor with a separate browser. Agent and language are also set at its start: emulated ones are
 * missing from requests sent while a page is closing. The address is forwarded as by a proxy.
 */
export async function comeAs(
  who: {
    readonly agent: string;
    readonly address: string;
    /** Keeps the back-forward cache, which Playwright disables. */ readonly keepsPages?: boolean;
    /** Sends Global Privacy Control. */ readonly gpc?: boolean;
  },
  program: string,
  /** Port at which the program listens, where the address of a site does not say it. */
  port: number | string = new URL(program).port,
): Promise<Visitor> {
  const proxy = await startProxy(port, who.address);
  const { host } = new URL(program);
  const executablePath = chromiumPath();
  const browser = await chromium.launch({
    args: [
      ...chromiumArgs,
      // Browsers of people do not announce automation.
      '--disable-blink-features=AutomationControlled',
      `--user-agent=${who.agent}`,
      '--accept-lang=zh-CN',
      `--host-resolver-rules=MAP ${host} 127.0.0.1:${proxy.port}`,
    ],
    ...(who.keepsPages === true ? { ignoreDefaultArgs: ['--disable-back-forward-cache'] } : {}),
    ...(executablePath === undefined ? {} : { executablePath }),
  });
  const context = await browser.newContext({
    userAgent: who.agent,
    locale: 'zh-CN',
    viewport: { width: 1280, height: 800 },
    ...(who.gpc === true ? { extraHTTPHeaders: { 'sec-gpc': '1' } } : {}),
  });
  if (who.gpc === true)
    await context.addInitScript(() => Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { configurable: true, get: () => true }));
  return {
    page: await context.newPage(),
    async leave() {
      await context.close();
      await browser.close();
      await proxy.close();
    },
  };
}

/** A local proxy that forwards the address of the client. */
async function startProxy(port: number | string, address: string): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
  const server = createServer((from, to) => {
    const onwards = ask(
      { hostname: 'localhost', port, method: from.method, path: from.url, headers: { ...from.headers, 'x-forwarded-for': address } },
      (answer) => {
        to.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(to);
      },
    );
    onwards.on('error', () => to.destroy());
    from.pipe(onwards);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
