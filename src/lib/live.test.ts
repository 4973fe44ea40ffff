import { makeLive } from './live';
import type { LiveEnvironment, LiveSignal } from './live';

type Stream = {
  address: string;
  open: boolean;
  onopen: (() => void) | null;
  onmessage: ((event: { data: string }) => void) | null;
  onerror: (() => void) | null;
  readyState: number;
  close: () => void;
};

/** One browser: tabs share a lock and a channel; the test advances the time. */
function makeBrowser({ locks = true } = {}) {
  const streams: Stream[] = [];
  const channels = new Set<{ onmessage: ((event: { data: unknown }) => void) | null }>();
  type Entry = { run: () => Promise<void>; stopped: boolean; lost: () => void };
  const queue: Entry[] = [];
  let holder: Entry | null = null;
  const timers = new Set<() => void>();
  const grant = (): void => {
    const next = holder ? undefined : queue.shift();
    if (!next || next.stopped) return next ? grant() : undefined;
    holder = next;
    void next.run().then(() => {
      if (holder === next) holder = null;
      grant();
    });
  };
  const environment = (): LiveEnvironment => ({
    openStream: (address) => {
      const stream: Stream = {
        address,
        open: true,
        onopen: null,
        onmessage: null,
        onerror: null,
        readyState: 1,
        close: () => {
          stream.open = false;
        },
      };
      streams.push(stream);
      return stream;
    },
    openChannel: () => {
      const channel = {
        onmessage: null as ((event: { data: unknown }) => void) | null,
        postMessage: (data: unknown) => [...channels].filter((one) => one !== channel).forEach((one) => one.onmessage?.({ data })),
        close: () => void channels.delete(channel),
      };
      channels.add(channel);
      return channel;
    },
    lead: locks
      ? (run, { stop, force, lost }) => {
          const entry = { run, stopped: false, lost };
          stop.addEventListener('abort', () => {
            entry.stopped = true;
          });
          if (force) {
            const robbed = holder;
            holder = null;
            queue.unshift(entry);
            grant();
            robbed?.lost();
          } else {
            queue.push(entry);
            grant();
          }
        }
      : null,
    setTimer: (run) => {
      timers.add(run);
      return () => void timers.delete(run);
    },
  });
  const pass = async () => {
    await Promise.resolve();
    await Promise.resolve();
    const due = Array.from(timers);
    timers.clear();
    due.forEach((run) => run());
  };
  /** The first tab no longer receives messages of the others. */
  const freezeFirst = (): void => {
    const [channel] = channels;
    if (channel) channel.onmessage = null;
  };
  return { tab: () => makeLive(environment()), freezeFirst, open: () => streams.filter((stream) => stream.open), pass };
}

test('the tabs of one browser share one stream with all topics', async () => {
  const browser = makeBrowser();
  const [first, second] = [browser.tab(), browser.tab()];
  const receivedSignals: LiveSignal[] = [];
  first.subscribe(['sites'], () => undefined);
  second.subscribe(['als:abc'], (signal) => receivedSignals.push(signal));
  await browser.pass();
  expect(browser.open().map((stream) => stream.address)).toEqual(['/api/core/stream?topic=als%3Aabc&topic=sites']);
  browser.open()[0]?.onmessage?.({ data: '{"type":"als","siteId":"abc","visitIds":["1"],"at":1}' });
  expect(receivedSignals).toEqual([{ type: 'als', siteId: 'abc', visitIds: ['1'], at: 1 }]);
});

test('a tab receives only its own topics, without invalid messages', async () => {
  const browser = makeBrowser();
  const receivedTypes: string[] = [];
  browser.tab().subscribe(['jobs'], (signal) => receivedTypes.push(signal.type));
  await browser.pass();
  const stream = browser.open()[0];
  for (const data of ['{"type":"site","siteId":"x","change":"added"}', 'not json', '{"type":"job","jobId":"7"}']) stream?.onmessage?.({ data });
  expect(receivedTypes).toEqual(['job']);
});

test('the stream of the earlier topics serves until the new one is open', async () => {
  const browser = makeBrowser();
  const tab = browser.tab();
  const receivedTypes: string[] = [];
  tab.subscribe(['jobs'], (signal) => receivedTypes.push(signal.type));
  await browser.pass();
  browser.open()[0]?.onopen?.();
  for (const topic of ['sites', 'user']) {
    tab.subscribe([topic], () => undefined);
    await browser.pass();
  }
  expect(browser.open().map((stream) => stream.address)).toEqual(['/api/core/stream?topic=jobs', '/api/core/stream?topic=jobs&topic=sites&topic=user']);
  browser.open()[0]?.onmessage?.({ data: '{"type":"job","jobId":"7"}' });
  browser.open()[1]?.onopen?.();
  expect(browser.open()).toHaveLength(1);
  expect([receivedTypes, tab.state()]).toEqual([['resync', 'job', 'resync'], 'open']);
});

test('when the leading tab closes, another takes over and all refetch', async () => {
  const browser = makeBrowser();
  const [first, second] = [browser.tab(), browser.tab()];
  const receivedTypes: string[] = [];
  const close = first.subscribe(['sites'], () => undefined);
  second.subscribe(['jobs'], (signal) => receivedTypes.push(signal.type));
  await browser.pass();
  expect([first.isLeading(), second.isLeading()]).toEqual([true, false]);
  close();
  await browser.pass();
  await browser.pass();
  expect(second.isLeading()).toBe(true);
  expect(browser.open().map((stream) => stream.address)).toEqual(['/api/core/stream?topic=jobs']);
  browser.open()[0]?.onopen?.();
  expect(receivedTypes).toEqual(['resync']);
});

test('a frozen leader is replaced and queues again when it wakes', async () => {
  const browser = makeBrowser();
  const [first, second] = [browser.tab(), browser.tab()];
  const receivedTypes: string[] = [];
  first.subscribe(['sites'], () => undefined);
  second.subscribe(['jobs'], (signal) => receivedTypes.push(signal.type));
  await browser.pass();
  await browser.pass();
  await browser.pass();
  expect([first.isLeading(), second.isLeading()]).toEqual([true, false]);
  browser.freezeFirst();
  for (let at = 0; at < 3 && !second.isLeading(); at += 1) await browser.pass();
  await browser.pass();
  expect([first.isLeading(), second.isLeading()]).toEqual([false, true]);
  expect(browser.open().map((stream) => stream.address)).toEqual(['/api/core/stream?topic=jobs&topic=sites']);
  browser.open()[0]?.onopen?.();
  expect(receivedTypes).toEqual(['resync']);
});

test('without locks every tab has its own stream', async () => {
  const browser = makeBrowser({ locks: false });
  browser.tab().subscribe(['sites'], () => undefined);
  browser.tab().subscribe(['jobs'], () => undefined);
  await browser.pass();
  expect(browser.open()).toHaveLength(2);
});

test('a stream that the browser has closed is opened again', async () => {
  const browser = makeBrowser();
  browser.tab().subscribe(['sites'], () => undefined);
  await browser.pass();
  const stream = browser.open()[0] as Stream;
  stream.readyState = 2;
  stream.onerror?.();
  expect(browser.open()).toHaveLength(0);
  await browser.pass();
  expect(browser.open()).toHaveLength(1);
});

test('no stream stays open without subscribers', async () => {
  const browser = makeBrowser();
  const stop = browser.tab().subscribe(['sites'], () => undefined);
  await browser.pass();
  stop();
  expect(browser.open()).toHaveLength(0);
});

test('every tab knows whether the stream is open, also later tabs', async () => {
  const browser = makeBrowser();
  const [first, second, third] = [browser.tab(), browser.tab(), browser.tab()];
  const receivedStates: string[] = [];
  second.watchState(() => receivedStates.push(second.state()));
  first.subscribe(['sites'], () => undefined);
  second.subscribe(['sites'], () => undefined);
  await browser.pass();
  expect([first.state(), second.state()]).toEqual(['connecting', 'connecting']);
  const stream = browser.open()[0] as Stream;
  stream.onopen?.();
  expect([first.state(), second.state()]).toEqual(['open', 'open']);
  third.subscribe(['sites'], () => undefined);
  expect(third.state()).toBe('open');
  // The server is unreachable; the browser retries by itself and connects.
  stream.readyState = 0;
  stream.onerror?.();
  expect([first, second, third].map((tab) => tab.state())).toEqual(['connecting', 'connecting', 'connecting']);
  stream.onopen?.();
  expect(receivedStates).toEqual(['open', 'connecting', 'open']);
});

test('a tab that takes over waits for its own stream', async () => {
  const browser = makeBrowser();
  const [first, second] = [browser.tab(), browser.tab()];
  const close = first.subscribe(['sites'], () => undefined);
  second.subscribe(['jobs'], () => undefined);
  await browser.pass();
  browser.open()[0]?.onopen?.();
  expect(second.state()).toBe('open');
  close();
  await browser.pass();
  await browser.pass();
  expect([second.isLeading(), second.state()]).toEqual([true, 'connecting']);
  browser.open()[0]?.onopen?.();
  expect(second.state()).toBe('open');
});
