import type { RenderProblem } from '../../../../../contract/crawler/terms';
import type { Browser } from './browser';
import { BrowserGone, goneEvent } from './devtools';
import type { DevtoolsEvent, Values } from './devtools';

/** Milliseconds until what a page has is read, whatever it still waits for, and until it is given up. */
const settleTimeout = 15_000;
const readTimeout = 5000;
/** Time for timers of a page passes at once while it waits for nothing: so many seconds, after each of which it may draw. */
const slices = 5;
const sliceMs = 1000;
const frameTimeout = 200;
const longestText = 5_000_000;
const mostElements = 100_000;

/** A request of a page. `kind`: its resource type in the protocol. */
export type PageRequest = { readonly url: string; readonly method: string; readonly headers: Readonly<Record<string, string>>; readonly kind: string };
export type Answer = { readonly status: number; readonly headers: readonly (readonly [string, string])[]; readonly body: Uint8Array };
export type PageToRender = {
  readonly url: string;
  readonly document: Answer;
  /** Null: the request fails. */
  readonly answer: (request: PageRequest, signal: AbortSignal) => Promise<Answer | null>;
  /** Called when a script opens a WebSocket, which leads nowhere. */
  readonly onSocket: () => void;
};
/** `navigation`: where its scripts lead to; null: nowhere. */
export type RenderedPage = { readonly html: string; readonly navigation: string | null };

/** `isHung`: the page does not answer any more, and the browser has to end. */
export class RenderFailure extends Error {
  readonly problem: RenderProblem;
  readonly isHung: boolean;
  constructor(problem: RenderProblem, isHung = false) {
    super(problem);
    this.problem = problem;
    this.isHung = isHung;
  }
}

/** In a world apart from the page's scripts. Open shadow trees become children of their hosts; null: too large. */
const readDocument = `(() => {
  const flatten = (root) => {
    for (const host of root.querySelectorAll('*')) {
      if (host.shadowRoot === null) continue;
      flatten(host.shadowRoot);
      for (const child of [...host.shadowRoot.childNodes]) host.append(child.cloneNode(true));
    }
  };
  if (document.getElementsByTagName('*').length > ${mostElements}) return null;
  flatten(document);
  const html = document.documentElement.outerHTML;
  return html.length > ${longestText} ? null : '<!doctype html>' + html;
})()`;
const twoFrames = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';

/** Resolves with null when the time is over. */
async function within<T>(ms: number, work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** One page in a context of its own, which shares nothing with others and leaves nothing behind. */
class PageSession {
  private readonly browser: Browser;
  private readonly page: PageToRender;
  private readonly targetId: string;
  private readonly sessionId: string;
  private readonly abort = new AbortController();
  private readonly unlisten: () => void;
  private isAnswered = false;
  private navigation: string | null = null;
  private readonly crashed: Promise<never>;
  private crash: (error: Error) => void = () => undefined;
  private onCommit: () => void = () => undefined;
  private onExpired: () => void = () => undefined;

  constructor(browser: Browser, page: PageToRender, ids: { readonly targetId: string; readonly sessionId: string }) {
    this.browser = browser;
    this.page = page;
    this.targetId = ids.targetId;
    this.sessionId = ids.sessionId;
    this.crashed = new Promise((_resolve, reject) => {
      this.crash = reject;
    });
    // It may crash while nobody waits.
    this.crashed.catch(() => undefined);
    this.unlisten = browser.listen(ids.sessionId, (event) => this.receive(event));
  }

  private send(method: string, params: Values = {}): Promise<Values> {
    return Promise.race([this.browser.send(method, params, this.sessionId), this.crashed]);
  }
  /** What the page refuses concerns the page alone. */
  private tell(method: string, params: Values): void {
    this.send(method, params).catch(() => undefined);
  }

  private receive({ method, params }: DevtoolsEvent): void {
    if (method === 'Fetch.requestPaused') void this.answer(params);
    else if (method === 'Emulation.virtualTimeBudgetExpired') this.onExpired();
    else if (method === 'Network.webSocketCreated') this.page.onSocket();
    else if (method === 'Page.javascriptDialogOpening') this.tell('Page.handleJavaScriptDialog', { accept: false });
    else if (method === 'Inspector.targetCrashed') this.crash(new RenderFailure('crashed'));
    else if (method === goneEvent) this.crash(new BrowserGone());
    else if (method === 'Page.frameNavigated') {
      const { id, url } = params['frame'] as { readonly id: string; readonly url: string };
      if (id === this.targetId && url !== 'about:blank') this.onCommit();
    }
  }

  /** Answers a request of the page. Its document is the one that the crawl has read; it leads nowhere else, and frames stay empty. */
  private async answer(params: Values): Promise<void> {
    const { requestId, frameId, resourceType } = params as { readonly requestId: string; readonly frameId: string; readonly resourceType: string };
    const request = params['request'] as Omit<PageRequest, 'kind'>;
    let answer: Answer | null = null;
    if (resourceType !== 'Document') answer = await this.page.answer({ ...request, kind: resourceType }, this.abort.signal).catch(() => null);
    else if (frameId === this.targetId) {
      if (!this.isAnswered) answer = this.page.document;
      else this.navigation ??= request.url;
      this.isAnswered = true;
    }
    // After this error, the page stays what it is; others would replace it with an explanation.
    if (answer === null) return this.tell('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
    this.tell('Fetch.fulfillRequest', {
      requestId,
      responseCode: answer.status,
      responseHeaders: answer.headers.map(([name, value]) => ({ name, value })),
      body: Buffer.from(answer.body).toString('base64'),
    });
  }

  private async open(): Promise<void> {
    const committed = new Promise<void>((resolve) => {
      this.onCommit = resolve;
    });
    await this.send('Inspector.enable');
    await this.send('Page.enable');
    // For what `Fetch` does not see; nothing of responses is stored for it.
    await this.send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 });
    await this.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
    const { errorText } = await this.send('Page.navigate', { url: this.page.url });
    if (errorText !== undefined) throw new RenderFailure('failed');
    await Promise.race([committed, this.crashed]);
  }

  /** Lets time pass until nothing happens any more: timers at once, requests as long as they take. */
  private async settle(contextId: number): Promise<void> {
    for (let slice = 0; slice < slices; slice += 1) {
      const expired = new Promise<void>((resolve) => {
        this.onExpired = resolve;
      });
      const policy = { policy: 'pauseIfNetworkFetchesPending', budget: sliceMs, maxVirtualTimeTaskStarvationCount: 100_000 };
      await this.send('Emulation.setVirtualTimePolicy', policy);
      await Promise.race([expired, this.crashed]);
      await within(frameTimeout, this.send('Runtime.evaluate', { expression: twoFrames, contextId, awaitPromise: true }));
    }
  }

  private async read(contextId: number): Promise<string> {
    await within(1000, this.send('Runtime.terminateExecution'));
    const found = await within(readTimeout, this.send('Runtime.evaluate', { expression: readDocument, contextId, returnByValue: true }));
    if (found === null) throw new RenderFailure('timeout', true);
    const { value } = found['result'] as { readonly value?: unknown };
    if (typeof value !== 'string') throw new RenderFailure('too_large');
    return value;
  }

  async render(): Promise<RenderedPage> {
    try {
      const opened = await within(
        settleTimeout,
        this.open().then(() => true),
      );
      if (opened === null) throw new RenderFailure('timeout', true);
      const world = await within(readTimeout, this.send('Page.createIsolatedWorld', { frameId: this.targetId }));
      if (world === null) throw new RenderFailure('timeout', true);
      const contextId = world['executionContextId'] as number;
      await within(settleTimeout, this.settle(contextId));
      return { html: await this.read(contextId), navigation: this.navigation };
    } finally {
      this.abort.abort();
      this.unlisten();
    }
  }
}

/** Renders a page whose document is there already. Throws `RenderFailure`, and `BrowserGone` if the browser ends. */
export async function renderPage(browser: Browser, page: PageToRender): Promise<RenderedPage> {
  const { browserContextId } = await browser.send('Target.createBrowserContext', { disposeOnDetach: true });
  try {
    await browser.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId });
    const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank', browserContextId });
    const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
    return await new PageSession(browser, page, { targetId: targetId as string, sessionId: sessionId as string }).render();
  } catch (error) {
    if (error instanceof RenderFailure || error instanceof BrowserGone) throw error;
    throw new RenderFailure('failed');
  } finally {
    browser.send('Target.disposeBrowserContext', { browserContextId }).catch(() => undefined);
  }
}
