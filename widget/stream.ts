import type { VisitorEvent } from '../contract/support/visitors';
import type { Api } from './api';
import { CallFailure } from './api';
import { pauseAfter } from './outbox';
import { createEventReader } from './sse';

/** Three pings that do not arrive mean that the connection is gone, although nobody said so. */
const silence = 65_000;
const failuresBeforePolling = 3;
const pollEvery = 5000;
const pollHiddenEvery = 30_000;
/** While polling, the stream is tried again this often. */
const retryStreamEvery = 60_000;
/** A tab that nobody looks at gives its connection back: browsers have six for one host. */
const hiddenFor = 60_000;

type Handlers = {
  /** The version up to which messages are known. */
  readonly version: () => number;
  readonly receive: (event: VisitorEvent) => void;
  /** Whether messages arrive at the moment. */
  readonly setConnected: (connected: boolean) => void;
  /** The conversation does not exist any more. */
  readonly lose: () => void;
};
export type Following = { readonly stop: () => void; readonly wake: () => void };

const isEvent = (value: unknown): value is VisitorEvent => typeof value === 'object' && value !== null && 'type' in value;

/** Follows a conversation: by its stream while somebody looks, by polling where streams do not arrive or nobody looks. */
class Follower {
  private readonly api: Api;
  private readonly id: string;
  private readonly handlers: Handlers;
  private isStopped = false;
  private failures = 0;
  private hiddenSince = document.hidden ? 0 : Infinity;
  private streamAgainAt = 0;
  private controller: AbortController | null = null;
  private endPause: () => void = () => undefined;

  constructor(api: Api, id: string, handlers: Handlers) {
    this.api = api;
    this.id = id;
    this.handlers = handlers;
    document.addEventListener('visibilitychange', this.onVisibility);
  }

  async run(): Promise<void> {
    while (!this.isStopped) await this.pause(await this.step());
  }
  /** Connects again: a connection that was there before the network went away may be dead without knowing. */
  wake(): void {
    this.streamAgainAt = 0;
    this.controller?.abort();
    this.endPause();
  }
  stop(): void {
    this.isStopped = true;
    this.endPause();
    this.controller?.abort();
    document.removeEventListener('visibilitychange', this.onVisibility);
  }

  private get isHidden(): boolean {
    return Date.now() - this.hiddenSince > hiddenFor;
  }
  private readonly onVisibility = (): void => {
    this.hiddenSince = document.hidden ? Date.now() : Infinity;
    if (document.hidden) setTimeout(() => this.isHidden && this.controller?.abort(), hiddenFor + 100);
    else this.endPause();
  };
  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private async readStream(): Promise<void> {
    const { handlers } = this;
    const own = new AbortController();
    this.controller = own;
    let watchdog = setTimeout(() => own.abort(), silence);
    try {
      const reader = (await this.api.stream(this.id, handlers.version(), own.signal)).getReader();
      const decoder = new TextDecoder();
      const read = createEventReader(({ data }) => {
        const event: unknown = JSON.parse(data);
        if (isEvent(event)) handlers.receive(event);
      });
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        clearTimeout(watchdog);
        watchdog = setTimeout(() => own.abort(), silence);
        this.failures = 0;
        handlers.setConnected(true);
        read(decoder.decode(value, { stream: true }));
      }
    } finally {
      clearTimeout(watchdog);
    }
  }

  private async poll(): Promise<void> {
    const { handlers } = this;
    for (let more = true; more && !this.isStopped;) {
      const response = await this.api.messages(this.id, { after: String(handlers.version()) });
      handlers.receive({ type: 'messages', ...response });
      more = response.more;
    }
    handlers.setConnected(true);
  }

  /** One stream or one poll. Returns the milliseconds before the next. */
  private async step(): Promise<number> {
    const streams = !this.isHidden && (this.failures < failuresBeforePolling || Date.now() > this.streamAgainAt);
    try {
      if (!streams) {
        await this.poll();
        return this.isHidden ? pollHiddenEvery : pollEvery;
      }
      await this.readStream();
    } catch (error) {
      if (!this.isStopped && error instanceof CallFailure && (error.status === 404 || error.status === 401)) {
        this.stop();
        this.handlers.lose();
        return 0;
      }
      // There are as many streams as the server has for this address: polling goes on at once.
      if (streams && error instanceof CallFailure && error.status === 429) {
        this.failures = failuresBeforePolling;
        this.streamAgainAt = Date.now() + Math.max(retryStreamEvery, error.retryAfter * 1000);
        return 0;
      }
      if (!this.isHidden && (this.failures > 0 || !streams)) this.handlers.setConnected(false);
    }
    // A stream that ends is no failure unless it happens again and again: programs restart, and proxies have limits.
    this.failures += 1;
    if (streams && this.failures >= failuresBeforePolling) this.streamAgainAt = Date.now() + retryStreamEvery;
    return pauseAfter(this.failures);
  }
}

export function follow(api: Api, id: string, handlers: Handlers): Following {
  const follower = new Follower(api, id, handlers);
  void follower.run();
  return follower;
}
