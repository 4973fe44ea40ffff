import type { Page, Request } from '@playwright/test';

/** The live stream stays open. */
const isStream = (request: Request): boolean => new URL(request.url()).pathname === '/api/core/stream';

export type Watch = {
  /** Forgets everything before a place is opened; requests that match `refused` may fail. */
  readonly begin: (refused?: RegExp) => void;
  /** Resolves when nothing is loading, or with a sentence about what still is. */
  readonly settle: () => Promise<string | null>;
  /** Errors of the console, violations of the content security policy, and requests that failed or went to other origins. */
  readonly errors: () => readonly string[];
  /** Everything that the API has sent, as JSON. */
  readonly data: () => string;
};

const longestWait = 20_000;
const quietFor = 250;

/** Observes a page from its creation. `origin`: the program's. */
export async function watchPage(page: Page, origin: string): Promise<Watch> {
  const running = new Set<Request>();
  const responses = new Set<string>();
  let errors: string[] = [];
  let allowed: RegExp | undefined;
  let lastChange = Date.now();
  const touch = () => (lastChange = Date.now());
  const record = (sentence: string) => void errors.push(sentence);

  await page.exposeFunction('reportViolation', (directive: string, blocked: string) => record(`policy: ${directive} blocks ${blocked}`));
  await page.addInitScript(() => {
    const { reportViolation } = globalThis as unknown as { reportViolation: (directive: string, blocked: string) => void };
    addEventListener('securitypolicyviolation', (event) => reportViolation(event.effectiveDirective, event.blockedURI));
  });
  page.on('pageerror', (error) => record(`exception: ${error.message}`));
  page.on('console', (message) => {
    // A refused request is reported by its status below.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) record(`console: ${message.text().slice(0, 300)}`);
  });
  page.on('request', (request) => {
    touch();
    if (!isStream(request)) running.add(request);
    if (/^https?:/.test(request.url()) && !request.url().startsWith(origin)) record(`request to another origin: ${request.url().slice(0, 200)}`);
  });
  page.on('requestfailed', (request) => {
    touch();
    running.delete(request);
    const reason = request.failure()?.errorText ?? '';
    // The browser aborts what a page that is being left was still loading.
    if (reason !== 'net::ERR_ABORTED') record(`request failed: ${request.url()} (${reason})`);
  });
  page.on('requestfinished', (request) => {
    touch();
    running.delete(request);
  });
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (response.status() >= 400 && allowed?.test(pathname) !== true)
      record(`request refused: ${response.request().method()} ${pathname} (${response.status()})`);
    if (pathname.startsWith('/api/') && response.headers()['content-type']?.includes('json') === true)
      void response.text().then(
        (text) => responses.add(text),
        () => undefined,
      );
  });

  return {
    begin(refused) {
      errors = [];
      running.clear();
      allowed = refused;
    },
    async settle() {
      const deadline = Date.now() + longestWait;
      // What has just been done takes effect within this time.
      touch();
      while (Date.now() < deadline) {
        const busy = await page.locator('[aria-busy="true"], .skeleton-row').count();
        if (busy === 0 && running.size === 0 && Date.now() - lastChange > quietFor) return null;
        await page.waitForTimeout(50);
      }
      return `still loading after ${longestWait / 1000} s: ${[...running].map((request) => request.url()).join(', ') || 'a skeleton'}`;
    },
    errors: () => errors,
    data: () => [...responses].join('\n'),
  };
}
