import { parseRobots, robotsBytes, robotsLines, robotsVerdict } from '../../../../contract/seo/robots';
import type { Robots } from '../../../../contract/seo/robots';
import { decode } from './decode';
import type { Fetched } from './terms';

/** Minutes until a file that could not be read is requested again, one after the other; afterwards the host is not crawled in this run. */
export const robotsRetries = [1, 5, 15].map((minutes) => minutes * 60_000);
const mostRedirects = 5;

export type RobotsCopy = { readonly origin: string; readonly status: number; readonly body: string };
type Ready = {
  readonly kind: 'ready';
  readonly robots: Robots;
  readonly copy: RobotsCopy;
  readonly crawlDelay: number | null;
  readonly mark: boolean;
  /** More than 0: the file cannot be read, and what holds is that of an earlier run; `copy` is the last response. */
  readonly failures: number;
};
export type RobotsState =
  | Ready
  | { readonly kind: 'loading' }
  /** Cannot be read: nothing may be requested (RFC 9309, 2.3.1.4). `retryAt` null: not any more. */
  | { readonly kind: 'closed'; readonly failures: number; readonly retryAt: number | null; readonly copy: RobotsCopy };

/** Seconds of `Crawl-delay` in the groups that apply; not part of RFC 9309, but many sites state it. */
export function crawlDelayOf(text: string, token: string): number | null {
  const delays = new Map<string, number>();
  let agents: string[] = [];
  let naming = false;
  for (const { key, name, value } of robotsLines(text)) {
    if (key === 'user-agent') {
      agents = naming ? [...agents, value.trim().toLowerCase()] : [value.trim().toLowerCase()];
      naming = true;
      continue;
    }
    naming = false;
    const seconds = Number(value);
    if (name === 'crawl-delay' && value.trim() !== '' && seconds >= 0 && seconds < 86_400) for (const agent of agents) delays.set(agent, seconds);
  }
  return delays.get(token.toLowerCase()) ?? delays.get('*') ?? null;
}

const ready = (copy: RobotsCopy, token: string, mark = false): Ready => ({
  kind: 'ready',
  robots: parseRobots(copy.body),
  copy,
  crawlDelay: crawlDelayOf(copy.body, token),
  mark,
  failures: 0,
});

/** Follows up to five redirects (RFC 9309, 2.3.1.2); more than that count as a missing file. */
async function requestFile(origin: string, request: (url: string) => Promise<Fetched>): Promise<Fetched | null> {
  let url = `${origin}/robots.txt`;
  for (let hop = 0; hop <= mostRedirects; hop += 1) {
    const response = await request(url);
    if (response.location === null) return response;
    url = response.location;
  }
  return null;
}

/** The rules of an origin, or the status with which its file cannot be read, so that nothing may be requested. */
export async function loadRobots(origin: string, token: string, request: (url: string) => Promise<Fetched>): Promise<Ready | { readonly status: number }> {
  const response = await requestFile(origin, request);
  if (response === null) return ready({ origin, status: 310, body: '' }, token);
  const { status, body } = response;
  // A longer file is read as far as RFC 9309 requires.
  if (status === 0 || status === 429 || status >= 500) return { status };
  if (status < 200 || status >= 300) return ready({ origin, status, body: '' }, token);
  const { text } = decode(body.subarray(0, robotsBytes), 'text/plain; charset=utf-8');
  return ready({ origin, status, body: text }, token, body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf);
}

export type RobotsFiles = ReturnType<typeof createRobotsFiles>;
/** robots.txt of each origin that is crawled. `onChange`: an origin became readable or closed. */
export function createRobotsFiles(options: {
  readonly token: string;
  /** Files that earlier runs read, recent enough to be used while theirs cannot be read. */
  readonly earlier: readonly RobotsCopy[];
  readonly request: (url: string) => Promise<Fetched>;
  readonly now: () => number;
  readonly onChange: (origin: string, state: RobotsState) => void;
}) {
  const { token, request, now, onChange } = options;
  const states = new Map<string, RobotsState>();
  const earlier = new Map(options.earlier.map((copy) => [copy.origin, copy]));

  /** An origin whose file could not be read so often. After the last time the file of an earlier run holds (RFC 9309, 2.3.1.4); without one, nothing may be requested. */
  function unread(copy: RobotsCopy, failures: number, retryAt: number): RobotsState {
    if (failures <= robotsRetries.length) return { kind: 'closed', failures, retryAt, copy };
    const found = earlier.get(copy.origin);
    return found === undefined ? { kind: 'closed', failures, retryAt: null, copy } : { ...ready(found, token), copy, failures };
  }

  async function refresh(origin: string, failures: number): Promise<void> {
    states.set(origin, { kind: 'loading' });
    const found = await loadRobots(origin, token, request).catch(() => ({ status: 0 }));
    const state: RobotsState =
      'kind' in found ? found : unread({ origin, status: found.status, body: '' }, failures + 1, now() + (robotsRetries[failures] ?? 0));
    states.set(origin, state);
    onChange(origin, state);
  }

  return {
    /** Requests the file when it is first needed or its time has come again. */
    state(origin: string): RobotsState {
      const found = states.get(origin);
      if (found === undefined || (found.kind === 'closed' && found.retryAt !== null && found.retryAt <= now())) {
        void refresh(origin, found?.kind === 'closed' ? found.failures : 0);
        return { kind: 'loading' };
      }
      return found;
    },
    /** Whether an address may be requested, if the file of its origin is known. */
    allows: (state: RobotsState, url: string): boolean => state.kind === 'ready' && robotsVerdict(state.robots, token, url).allowed,
    peek: (origin: string): RobotsState | undefined => states.get(origin),
    restore(copy: RobotsCopy, failures: number): void {
      const isClosed = copy.status === 0 || copy.status === 429 || copy.status >= 500;
      states.set(copy.origin, isClosed ? unread(copy, failures, now()) : ready(copy, token));
    },
    all: (): ReadonlyMap<string, RobotsState> => states,
  };
}
