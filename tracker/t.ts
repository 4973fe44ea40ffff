import type { CollectBody, Hit } from '../contract/collect/schemas';

/**
 * The script that a site embeds:
 *
 *   <script defer src="https://console.example/t.js" data-site="SITEID"></script>
 *
 * Hits go to `collect` beside the script (`/t.js` → `/collect`, `/_a/t.js` → `/_a/collect`).
 *
 * Attributes: `data-hash` treats the fragment as part of the page's path and counts its changes as page views; `data-consent="required"` stores no id until
 * `sitewright.consent(true)`; `data-cookieless` never stores one; `data-no-gpc` stores one although the browser sends Global Privacy Control. Links to other
 * sites and to files are reported as `$outbound` and `$download`. `t.more.js` is the same script and also reports pages with status 404 (`$404`), submitted
 * forms (`$form`) and, in Chromium, the system version and the device model. Calls: `sitewright('name', { property: value })`, `sitewright.consent(boolean)`,
 * `sitewright.optOut(boolean = true)`. Calls made before the script arrives wait in `window.sitewright.q`.
 *
 * Rules: no id and no hit is stored unless an id is allowed (a refusal or opt-out is stored as such), no error ever reaches the page, and an undelivered hit is
 * retried, on the next page if necessary. Sending a hit twice is harmless (see contract/collect/schemas.ts).
 */
type Api = {
  (name: string, props?: Record<string, unknown>): void;
  consent: (granted: boolean) => void;
  optOut: (out?: boolean) => void;
};
type Stub = { q?: Iterable<unknown>[] };
type Hinted = { readonly userAgentData: { getHighEntropyValues(names: string[]): Promise<{ platformVersion: string; model: string }> } };
/** The request body before serialization, which omits undefined values. */
type Wire = { [name in keyof CollectBody]: name extends 'h' ? unknown[] : CollectBody[name] | undefined };
/** Whether this is `t.more.js`; the build decides (scripts/build-tracker.mjs). */
declare const MORE: boolean;
/** A hit waiting to be sent; `t` is its time by this browser's clock, converted to an age on sending. */
type Waiting = Omit<Hit, 'a'> & { t: number };

const start = (
  win: Window & { sitewright?: unknown },
  doc: Document & { prerendering?: boolean },
  nav: Navigator & { globalPrivacyControl?: boolean },
  place: Location,
): void => {
  const script = (doc.currentScript || doc.querySelector('[data-site]')) as HTMLScriptElement | null;
  const existing = (win.sitewright || {}) as Partial<Api> & Stub;
  // Without a script tag this throws, and nothing is measured.
  const options = (script as HTMLScriptElement).dataset;
  // A second tag on the page is ignored, and so are pages whose protocol is not http(s).
  if (!options.site || existing.consent || place.protocol[0] !== 'h') return;

  const ID = '_sw';
  const QUEUE = '_swq.' + options.site;
  const MAX_HITS = 50;
  const MAX_CHARACTERS = 15_000;
  /** Interval of engaged time reports; well below the half hour after which a visit ends. */
  const PING_MS = 20_000;
  /** A longer interval without a timer means that the machine slept. */
  const STRETCH_MS = 25_000;
  const FILE = /\.(7z|apk|csv|(doc|ppt|xls)x?|dmg|exe|t?gz|mp[34]|msi|pdf|rar|zip)$/i;
  /** Consecutive failed attempts (about four minutes) after which the rest waits for the next page. */
  const MAX_FAILURES = 8;

  let queue: Waiting[] = [];
  let flying: Waiting[] = [];
  let failures = 0;
  let timer = 0;

  /** The current page view: its id, the next sequence number, its URL and route, and its hit (whose title may still change). */
  let view!: string;
  let seq!: number;
  let address!: string;
  let route!: string;
  let opened: Waiting;
  /** Engaged milliseconds so far, the last reported value, and the start of the current engagement (0: not engaged). */
  let engaged!: number;
  let reported!: number;
  let since!: number;
  /** Deepest visible pixel, and the last reported depth in percent. */
  let bottom!: number;
  let depth!: number;

  const safe =
    <A extends unknown[]>(work: (...args: A) => void) =>
    (...args: A): void => {
      try {
        work(...args);
      } catch {
        // Whatever went wrong here is not the page's business.
      }
    };
  const on = (target: EventTarget, names: string, listener: (event: Event) => void): void =>
    names.split(' ').forEach((name) => target.addEventListener(name, safe(listener), true));

  // Reading localStorage throws in sandboxed frames, and when site data is blocked.
  const read = (key: string): string => {
    try {
      return (localStorage[key] as string) || '';
    } catch {
      return '';
    }
  };
  const write = safe((key: string, value: string) => (value ? (localStorage[key] = value) : delete localStorage[key]));
  const random = (): string => Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => (byte + 256).toString(16).slice(1)).join('');

  let out = read(ID) === 'out';
  /** Returns the id stored by this browser and creates it when allowed; '' when it may not or cannot be stored. */
  const visitor = (make?: boolean): string => {
    if ((nav.globalPrivacyControl && options.noGpc == null) || options.cookieless != null) return '';
    if (make || (options.consent !== 'required' && !read(ID))) write(ID, random());
    const id = read(ID);
    return id[15] ? id : '';
  };

  /** Returns the hits of `first`, then those that only `second` contains. */
  const join = (first: Waiting[], second: Waiting[]): Waiting[] =>
    first.concat(second.filter((b) => !first.some((a) => a.p + a.q === b.p + b.q))).slice(-MAX_HITS);
  const stored = (): Waiting[] => {
    try {
      return JSON.parse(read(QUEUE)) as Waiting[];
    } catch {
      return [];
    }
  };
  /** Queues the hits that an earlier page could not deliver. */
  const takeBack = (): void => {
    queue = join(stored(), queue);
    write(QUEUE, '');
    failures = 0;
    soon();
  };

  let hints: [string, string] | undefined;
  if (MORE)
    safe(() => {
      void (nav as unknown as Hinted).userAgentData
        .getHighEntropyValues(['platformVersion', 'model'])
        .then(({ platformVersion, model }) => (hints = [platformVersion, model]));
    })();

  const body = (hits: Waiting[]): string =>
    JSON.stringify({
      s: options.site as string,
      u: visitor() || undefined,
      f: options.hash,
      d: Date.now(),
      ...(MORE && { c: hints }),
      // Frameworks set the title after they change the URL.
      h: hits.map((hit) => Object.assign({}, hit, { t: undefined, a: Date.now() - hit.t }, hit === opened && { n: doc.title })),
    } satisfies Wire);
  const endpoint = new URL('collect', (script as HTMLScriptElement).src);

  const later = (ms: number): void => {
    clearTimeout(timer);
    timer = (setTimeout as Window['setTimeout'])(send, ms);
  };
  /** Sends soon, together with other hits of the same moment, unless a retry is pending. */
  const soon = (): void => {
    if (!failures) later(100);
  };
  const send = async (): Promise<void> => {
    if (!queue[0] || flying[0]) return;
    let count = 0;
    for (let size = 0; queue[count] && size < MAX_CHARACTERS;) size += JSON.stringify(queue[count++]).length;
    flying = queue.splice(0, count);
    let again = true;
    try {
      // By default the cookies of the page's own host go along, as with a beacon: a country rule looks for the pass of its challenge. The collector reads none.
      const response = await fetch(endpoint, { method: 'POST', body: body(flying), keepalive: true });
      // 408, 429 and server errors.
      again = /08|29|^5/.test(response.status as unknown as string);
    } catch {
      // Offline, blocked by the page's policy or by the reader: the same as a server that is away.
    }
    if (again) {
      if (!out) queue = join(flying, queue);
      if (++failures < MAX_FAILURES) later((500 << failures) * (1 + Math.random()));
    } else {
      failures = 0;
      soon();
    }
    flying = [];
  };
  /** Clicks wait until all listeners of the page have run, because a listener may prevent them. */
  const clicks: (() => void)[] = [];
  const reportClicks = (): void => clicks.splice(0).forEach((click) => click());
  /** The page may end now: sends the queue, and stores the hits that may not have arrived. */
  const leave = (): void => {
    // The next page may load before the timer of the click that leads to it fires.
    reportClicks();
    let keep = flying;
    // A beacon does not report its delivery, so it is not used when delivery is known to fail.
    if (queue[0] && (((failures || !nav.onLine) && visitor()) || !nav.sendBeacon(endpoint, body(queue)))) keep = join(keep, queue);
    else queue = [];
    if (keep[0] && visitor()) {
      keep = join(stored(), keep);
      // Percent-encoded URLs dominate, so the number of characters is close to the number of bytes.
      while (JSON.stringify(keep).length > MAX_CHARACTERS) keep.shift();
      write(QUEUE, JSON.stringify(keep));
    }
  };

  const push = (kind: Hit['k'], more: Partial<Hit>): Waiting => {
    const hit: Waiting = Object.assign({ k: kind, p: view, q: seq++, t: Date.now(), l: address, b: nav.webdriver || undefined }, more);
    if (!out) queue = join(queue, [hit]);
    soon();
    return hit;
  };

  const settle = (): void => {
    const now = performance.now();
    engaged += since && Math.min(now - since, STRETCH_MS);
    since = doc.hasFocus() && !doc.hidden ? now : 0;
    bottom = Math.max(scrollY + innerHeight, bottom);
  };
  /** Reports the engaged time and depth of the current view if they have grown. */
  const report = (): void => {
    settle();
    const now = Math.min(100, Math.round((bottom / doc.documentElement.scrollHeight) * 100)) || 0;
    if (!view || (engaged - reported < 1000 && now <= depth)) return;
    reported = engaged;
    depth = Math.max(depth, now);
    push('g', { m: Math.round(engaged), d: depth });
  };

  const routeNow = (): string => place.pathname + (options.hash != null ? place.hash : '');
  const open = (): void => {
    if (doc.prerendering) return;
    report();
    // The last moment at which the title still belongs to the old view.
    if (view) opened.n = doc.title;
    const from = address || doc.referrer;
    view = random();
    address = place.href;
    route = routeNow();
    seq = engaged = reported = since = bottom = depth = 0;
    settle();
    opened = push('v', { n: doc.title, r: from, w: screen.width, h: screen.height, g: nav.language });
    calls.splice(0).forEach((call) => api(...(call as unknown as Parameters<Api>)));
    // Web vitals (v.ts). Last, because a page may forbid scripts by throwing.
    if (!out) doc.head.append(Object.assign(doc.createElement('script'), { src: `${endpoint}?${options.site}#${view}` }));
  };
  const look = (): void => {
    if (view && route !== routeNow()) open();
  };

  const calls: Iterable<unknown>[] = existing.q || [];
  const api = safe((name: unknown, props?: Record<string, unknown>) => {
    if (!view) {
      calls.push([name, props]);
      return;
    }
    const flat: NonNullable<Hit['o']> = {};
    for (const key in props) {
      const value = props[key];
      flat[key] = (Object(value) === value ? JSON.stringify(value) : value) as string;
    }
    push('e', { e: String(name), o: flat });
  }) as Api;
  api.consent = (allowed) => {
    if (out) return;
    write(QUEUE, '');
    if (!allowed) write(ID, 'no');
    else visitor(!visitor());
  };
  api.optOut = (leaveOut = true) => {
    out = leaveOut;
    write(ID, out ? 'out' : '');
    write(QUEUE, '');
    if (out) queue = [];
  };
  win.sitewright = api;

  (['pushState', 'replaceState'] as const).forEach((name) => {
    const original = history[name];
    history[name] = (...args) => {
      original.apply(history, args);
      safe(look)();
    };
  });
  // Middle clicks are `auxclick`, the Enter key is a `click`. The page may end at once: `leave` sends the queue. If no ancestor is a link, this throws, and
  // `safe` ignores it; mail and telephone links have no host. The `href` of an SVG link is an object.
  on(doc, 'click auxclick', (event) => {
    const link = event.composedPath().find((node) => (node as Partial<HTMLAnchorElement>).href) as HTMLAnchorElement & SVGAElement;
    const { href, host, pathname } = new URL(link.href.baseVal || link.href, doc.baseURI);
    const file = pathname.split('/').pop() as string;
    clicks.push(() => {
      if (!host || event.defaultPrevented || (event as MouseEvent).button > 1) return;
      if (FILE.test(file) || link.matches('[download]')) api('$download', { url: href, file });
      else if (host !== place.host) api('$outbound', { url: href });
    });
    setTimeout(reportClicks);
  });
  // Pages that submit a form by script prevent the event themselves, so it is reported all the same. Forms that the browser finds invalid are not submitted and
  // fire no event.
  if (MORE)
    on(doc, 'submit', (event) => {
      const form = event.target as HTMLFormElement;
      api('$form', { form: form.getAttribute('id') || form.getAttribute('name') || new URL(form.action, doc.baseURI).pathname });
    });
  on(win, 'popstate hashchange', look);
  on(win, 'focus blur scroll', settle);
  on(doc, 'visibilitychange', () => {
    report();
    if (doc.hidden) leave();
    else takeBack();
  });
  on(win, 'pagehide', () => {
    report();
    since = 0;
    leave();
  });
  on(win, 'pageshow', (event) => {
    if (!(event as PageTransitionEvent).persisted) return;
    takeBack();
    open();
  });
  on(win, 'online', takeBack);
  on(doc, 'prerenderingchange', open);
  setInterval(safe(report), PING_MS);

  if (visitor()) takeBack();
  open();
  // Browsers that do not report the status of the page count no 404.
  if (MORE && (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming & { responseStatus?: number }).responseStatus === 404)
    api('$404', { url: address });
};

try {
  start(window, document, navigator, location);
} catch {
  // A browser too strange to measure; the page goes on.
}
