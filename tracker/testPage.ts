import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { JSDOM, VirtualConsole } from 'jsdom';
import type { CollectBody, Hit } from '../contract/collect/schemas';

/**
 * Runs the real script in a separate document per test, with the test's clock, timers, network and beacon. Features that only a real browser has (bfcache,
 * prerender, offline, CSP) are tested in test/e2e.
 */
const built = (more: boolean): string =>
  transformSync(readFileSync(join(__dirname, 't.ts'), 'utf8'), { loader: 'ts', target: 'es2017', define: { MORE: String(more) } }).code;
export const script = built(false);
const moreScript = built(true);
export const site = 'abcdefgh2345';

export type Answer = number | 'network error';
export type Options = {
  tag?: string;
  stored?: Record<string, string>;
  before?: string;
  referrer?: string;
  gpc?: boolean;
  url?: string;
  storage?: boolean;
  now?: number;
  /** Runs `t.more.js`. */
  more?: boolean;
  /** HTTP status of the page, where the browser reports it. */
  status?: number;
  /** Values that a browser with Client Hints reports. */
  device?: { platformVersion: string; model: string };
};

export class Page {
  readonly window: JSDOM['window'];
  /** Received bodies, by fetch and by beacon, in order. */
  readonly bodies: (CollectBody & { by: 'fetch' | 'beacon' })[] = [];
  readonly addresses: string[] = [];
  /** Whose cookies the requests carry. */
  readonly credentials = new Set<RequestCredentials>();
  answers: Answer[] = [];
  beaconWorks = true;
  online = true;
  focused = true;
  visible = true;
  now = 1_700_000_000_000;
  private timers: { id: number; at: number; every: number | null; run: () => void }[] = [];
  private lastTimer = 0;

  private readonly code: string;

  constructor({
    tag = '',
    stored = {},
    before = '',
    referrer = 'https://news.example/',
    gpc = false,
    url = 'https://shop.example/list?a=1#top',
    storage = true,
    now = this.now,
    more = false,
    status,
    device,
  }: Options = {}) {
    this.now = now;
    this.code = more ? moreScript : script;
    const html = `<!doctype html><title>列表</title>${before}<script src="https://console.example/t.js" data-site="${site}" ${tag}></script>`;
    const { window } = new JSDOM(html, { url, referrer, runScripts: 'outside-only', pretendToBeVisual: false, virtualConsole: new VirtualConsole() });
    this.window = window;
    for (const [key, value] of Object.entries(stored)) window.localStorage.setItem(key, value);
    const define = (target: object, name: string, get: () => unknown): void => void Object.defineProperty(target, name, { configurable: true, get });
    define(window.document, 'hidden', () => !this.visible);
    define(window.navigator, 'globalPrivacyControl', () => gpc);
    define(window.navigator, 'onLine', () => this.online);
    if (!storage) {
      define(window, 'localStorage', () => {
        throw new Error('SecurityError');
      });
    }
    window.document.hasFocus = () => this.focused;
    const start = this.now;
    Object.assign(window, {
      fetch: async (address: string | URL, init: { body: string; credentials?: RequestCredentials }) => {
        const answer = this.online ? (this.answers.shift() ?? 202) : 'network error';
        if (answer === 'network error') throw new TypeError('Failed to fetch');
        this.addresses.push(String(address));
        this.credentials.add(init.credentials ?? 'same-origin');
        this.bodies.push({ ...(JSON.parse(init.body) as CollectBody), by: 'fetch' });
        return { status: answer };
      },
      setTimeout: (run: () => void, ms = 0) => this.addTimer(run, ms, null),
      setInterval: (run: () => void, ms: number) => this.addTimer(run, ms, ms),
      clearTimeout: (id: number) => {
        this.timers = this.timers.filter((timer) => timer.id !== id);
      },
    });
    window.navigator.sendBeacon = (address, body) => {
      if (!this.beaconWorks) return false;
      this.addresses.push(String(address));
      this.bodies.push({ ...(JSON.parse(body as string) as CollectBody), by: 'beacon' });
      return true;
    };
    window.eval('0');
    Object.assign((window as unknown as { Date: DateConstructor }).Date, { now: () => this.now });
    define(window, 'performance', () => ({ now: () => this.now - start + 1, getEntriesByType: () => [{ responseStatus: status }] }));
    if (device) define(window.navigator, 'userAgentData', () => ({ getHighEntropyValues: async () => device }));
    Object.assign(window, { crypto: globalThis.crypto });
    for (const inline of window.document.querySelectorAll('script:not([src])')) window.eval(inline.textContent ?? '');
    this.run();
  }

  /** Runs the tag; may be called again. */
  run(): void {
    this.window.eval(this.code);
  }
  private addTimer(run: () => void, ms: number, every: number | null): number {
    this.timers.push({ id: ++this.lastTimer, at: this.now + ms, every, run });
    return this.lastTimer;
  }
  /** Advances the clock, runs due timers, and lets promises settle. */
  async pass(ms: number): Promise<void> {
    const end = this.now + ms;
    for (;;) {
      await flushPromises();
      const next = this.timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.now = Math.max(this.now, next.at);
      if (next.every === null) this.timers = this.timers.filter((timer) => timer !== next);
      else next.at += next.every;
      next.run();
    }
    this.now = end;
    await flushPromises();
  }
  fire(name: string, target: 'window' | 'document' = 'window', extra: object = {}): void {
    const on = target === 'window' ? this.window : this.window.document;
    on.dispatchEvent(Object.assign(new this.window.Event(name), extra));
  }
  setVisible(visible: boolean): void {
    this.visible = visible;
    this.fire('visibilitychange', 'document');
  }
  leave(): void {
    this.visible = false;
    this.fire('visibilitychange', 'document');
    this.fire('pagehide');
  }
  get api(): { (name: unknown, props?: unknown): void; consent(granted: boolean): void; optOut(out?: boolean): void } {
    return (this.window as unknown as { sitewright: never }).sitewright;
  }
  get hits(): Hit[] {
    return this.bodies.flatMap((body) => body.h);
  }
  kinds(): string {
    return this.hits.map((hit) => hit.k).join('');
  }
}
const flushPromises = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
};
export const opened = async (options?: Options): Promise<Page> => {
  const page = new Page(options);
  await page.pass(100);
  return page;
};
