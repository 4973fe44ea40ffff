/** Limits of a host. `requestsPerSecond` of its own; a crawl delay of robots.txt makes it slower. */
export type HostLimits = { readonly connections: number; readonly requestsPerSecond: number };

const firstLimit = 2;
/** Good responses after which one more connection is tried. */
const goodRun = 20;
const longestCrawlDelay = 30_000;
/** A slower host keeps no second worker busy. */
const longestSharedDelay = 100;
const longestPause = 15 * 60_000;
const pauseWithoutHint = 5000;
/** Times below this are noise. */
const noise = 25;

export type HostState = {
  readonly limit: number;
  readonly active: number;
  readonly delayMs: number;
  readonly averageMs: number;
};

/**
 * How fast a host is requested: additive increase, multiplicative decrease (as TCP does). One more connection after 20 responses as fast as usual; half of them after 429, 503 or
 * a timeout. All times are of `now`.
 */
class HostGovernor {
  limit: number;
  active = 0;
  requests = 0;
  average = 0;
  private baseline = 0;
  private good = 0;
  private nextAt = 0;
  private halvedAt = -Infinity;
  private blockedUntil = 0;
  private crawlDelay = 0;

  /** Parts of its limits that other workers have. */
  private lent: readonly HostLimits[] = [];

  private readonly limits: HostLimits;

  constructor(limits: HostLimits, first: number) {
    this.limits = limits;
    this.limit = Math.min(first, limits.connections);
  }
  get delayMs(): number {
    return Math.max(1000 / this.limits.requestsPerSecond, this.crawlDelay);
  }
  get lentConnections(): number {
    return this.lent.reduce((sum, { connections }) => sum + connections, 0);
  }
  /** Between two requests of this process. */
  private get ownDelayMs(): number {
    if (this.lent.length === 0) return this.delayMs;
    const left = this.lent.reduce((rate, { requestsPerSecond }) => rate - requestsPerSecond, 1000 / this.delayMs);
    // A crawl delay may become known after a part was lent, which then has more than the whole.
    return left > 0 ? Math.min(1000 / left, longestCrawlDelay) : this.delayMs;
  }
  /** One of `parts` equal parts, if as much as half of one is left after it. Null: there is none to spare. */
  lend(now: number, parts: number): HostLimits | null {
    const share = { connections: Math.floor(Math.floor(this.limit) / parts), requestsPerSecond: 1000 / this.delayMs / parts };
    const isSpare = Math.floor(this.limit) - this.lentConnections > share.connections && 1000 / this.ownDelayMs >= share.requestsPerSecond * 1.5;
    if (share.connections < 1 || !isSpare || this.delayMs > longestSharedDelay || this.blockedUntil > now) return null;
    this.lent = [...this.lent, share];
    return share;
  }
  release(share: HostLimits): void {
    this.lent = this.lent.filter((one) => one !== share);
  }
  setCrawlDelay(seconds: number | null): void {
    this.crawlDelay = seconds === null ? 0 : Math.min(seconds * 1000, longestCrawlDelay);
  }
  readyAt(): number {
    return this.active + this.lentConnections >= Math.floor(this.limit) ? Infinity : Math.max(this.nextAt, this.blockedUntil);
  }
  start(now: number): void {
    this.active += 1;
    this.again(now);
  }
  /** One more request in the place of the one before. */
  again(now: number): void {
    this.requests += 1;
    // Time that was lost while nobody looked is made up for, up to 50 ms.
    this.nextAt = Math.max(this.nextAt, now - 50) + this.ownDelayMs;
  }
  end(now: number, outcome: Outcome): void {
    this.active -= 1;
    this.learn(now, outcome);
  }
  learn(now: number, outcome: Outcome): void {
    if (outcome.kind === 'slow_down') return this.halve(now, outcome.retryAfterMs);
    if (outcome.kind === 'failed') return;
    const { ms } = outcome;
    this.average = this.average === 0 ? ms : this.average * 0.9 + ms * 0.1;
    this.baseline = this.baseline === 0 ? ms : this.baseline + (ms - this.baseline) * (ms < this.baseline ? 0.2 : 0.005);
    if (this.average > this.baseline * 1.5 + noise) {
      this.good = 0;
      return;
    }
    this.good += 1;
    if (this.good < goodRun) return;
    this.good = 0;
    this.limit = Math.min(this.limits.connections, this.limit + 1);
  }
  private halve(now: number, pauseMs: number | null): void {
    this.good = 0;
    // Several responses of one moment are one sign.
    if (now - this.halvedAt >= 1000) {
      this.limit = Math.max(1, Math.floor(this.limit / 2));
      this.halvedAt = now;
    }
    this.blockedUntil = Math.max(this.blockedUntil, now + Math.min(pauseMs ?? pauseWithoutHint, longestPause));
  }
}

/** `slow_down`: 429, 503 or a timeout; `retryAfterMs`: of the header `Retry-After`. */
export type Outcome =
  | { readonly kind: 'ok'; readonly ms: number }
  | { readonly kind: 'failed' }
  | { readonly kind: 'slow_down'; readonly retryAfterMs: number | null };

/** `Retry-After` in milliseconds: seconds or a date. */
export function retryAfterMs(value: string | undefined, now: number): number | null {
  if (value === undefined) return null;
  if (/^\s*\d{1,9}\s*$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

/** `first`: connections that a host begins with. */
export function createGovernor(limitsOf: (host: string) => HostLimits, mostActive: number, first: number = firstLimit) {
  const hosts = new Map<string, HostGovernor>();
  let active = 0;
  let lent = 0;
  const of = (host: string): HostGovernor => {
    let found = hosts.get(host);
    if (found === undefined) {
      found = new HostGovernor(limitsOf(host), first);
      hosts.set(host, found);
    }
    return found;
  };
  return {
    /** Whether a request may be sent now. */
    isReady: (host: string, now: number): boolean => active + lent < mostActive && of(host).readyAt() <= now,
    /** When a request may be sent; Infinity: after one ends. */
    readyAt: (host: string): number => of(host).readyAt(),
    setCrawlDelay: (host: string, seconds: number | null): void => of(host).setCrawlDelay(seconds),
    start(host: string, now: number): void {
      active += 1;
      of(host).start(now);
    },
    end(host: string, now: number, outcome: Outcome): void {
      active -= 1;
      of(host).end(now, outcome);
    },
    again: (host: string, now: number): void => of(host).again(now),
    active: (): number => active,
    /** Whether no request may be sent to any host before one ends. */
    isFull: (): boolean => active + lent >= mostActive,
    /** A part of what a host allows, for another worker: no more than that is left here. Null: it has none to spare. */
    lend(host: string, now: number, parts: number): HostLimits | null {
      const share = of(host).lend(now, parts);
      lent += share?.connections ?? 0;
      return share;
    },
    /** Whether enough requests have ended for what was lent of a host to be used. */
    isWithin: (host: string): boolean => of(host).active + of(host).lentConnections <= Math.floor(of(host).limit) && active + lent <= mostActive,
    release(host: string, share: HostLimits): void {
      lent -= share.connections;
      of(host).release(share);
    },
    /** What a worker that had a part of the limits learnt. */
    learn: (host: string, now: number, outcome: Outcome): void => of(host).learn(now, outcome),
    state(host: string): HostState {
      const { limit, active: running, lentConnections, delayMs, average } = of(host);
      return { limit, active: Math.min(running + lentConnections, Math.floor(limit)), delayMs, averageMs: average };
    },
    /** The hosts with the most requests. */
    busiest: (count: number): readonly string[] =>
      [...hosts]
        .toSorted(([, a], [, b]) => b.requests - a.requests)
        .slice(0, count)
        .map(([host]) => host),
  };
}
