import type { frontierSources } from '../schema';
import { splitUrl } from './normalize';

export type FrontierSource = (typeof frontierSources)[number];
export type FrontierEntry = {
  readonly id: number;
  readonly url: string;
  readonly depth: number;
  readonly hops: number;
  readonly source: FrontierSource;
  readonly fromId: number | null;
  readonly attempts: number;
  /** By how much later than depth says. */
  readonly late: number;
};

const buckets = 12;
/** Lower is earlier: seeds, then by depth; sitemaps bring what links may not reach; resources and addresses of others come last. */
export function priorityOf({ source, depth, attempts, late }: Pick<FrontierEntry, 'source' | 'depth' | 'attempts' | 'late'>): number {
  if (source === 'external' || source === 'resource') return buckets - 1;
  if (source === 'sitemap') return Math.min(4 + attempts + late, buckets - 2);
  return Math.min(depth + attempts + late, buckets - 2);
}

/** First in, first out, without moving what waits. */
class Queue {
  private items: FrontierEntry[] = [];
  private head = 0;
  get length(): number {
    return this.items.length - this.head;
  }
  push(entry: FrontierEntry): void {
    this.items.push(entry);
  }
  shift(): FrontierEntry | undefined {
    const entry = this.items[this.head];
    if (entry === undefined) return undefined;
    this.head += 1;
    if (this.head > 1024 && this.head * 2 > this.items.length) {
      this.items = this.items.slice(this.head);
      this.head = 0;
    }
    return entry;
  }
  filter(test: (entry: FrontierEntry) => boolean): void {
    this.items = this.items.slice(this.head).filter(test);
    this.head = 0;
  }
}

class HostQueue {
  private readonly byPriority: (Queue | undefined)[] = Array.from({ length: buckets });
  length = 0;
  push(entry: FrontierEntry): void {
    (this.byPriority[priorityOf(entry)] ??= new Queue()).push(entry);
    this.length += 1;
  }
  shift(): FrontierEntry | undefined {
    for (const queue of this.byPriority) {
      const entry = queue?.shift();
      if (entry === undefined) continue;
      this.length -= 1;
      return entry;
    }
    return undefined;
  }
  /** Takes out what fits. */
  take(test: (entry: FrontierEntry) => boolean): FrontierEntry[] {
    const removed: FrontierEntry[] = [];
    for (const queue of this.byPriority)
      queue?.filter((entry) => {
        const fits = test(entry);
        if (fits) removed.push(entry);
        return !fits;
      });
    this.length -= removed.length;
    return removed;
  }
}

/** Addresses that wait, by host. Hosts take turns; within a host the priority decides, then the order of arrival. */
export function createFrontier() {
  const hosts = new Map<string, HostQueue>();
  /** Hosts with addresses that wait, in turn. */
  let turns: string[] = [];
  let at = 0;
  let waiting = 0;

  function push(entry: FrontierEntry): void {
    const { host } = splitUrl(entry.url);
    let queue = hosts.get(host);
    if (queue === undefined) {
      queue = new HostQueue();
      hosts.set(host, queue);
    }
    if (queue.length === 0) turns.push(host);
    queue.push(entry);
    waiting += 1;
  }

  return {
    push,
    size: (): number => waiting,
    waitingAt: (host: string): number => hosts.get(host)?.length ?? 0,
    hosts: (): readonly string[] => turns,
    /** The next address of a host that may be requested now; null: none. */
    next(mayRequest: (host: string) => boolean): FrontierEntry | null {
      for (let tried = turns.length; tried > 0; tried -= 1) {
        if (at >= turns.length) at = 0;
        const host = turns[at] as string;
        if (!mayRequest(host)) {
          at += 1;
          continue;
        }
        const queue = hosts.get(host) as HostQueue;
        const entry = queue.shift() ?? null;
        if (entry !== null) waiting -= 1;
        if (queue.length === 0) {
          turns.splice(at, 1);
          hosts.delete(host);
        } else at += 1;
        if (entry !== null) return entry;
      }
      return null;
    },
    /** Takes out what fits, of one host or of all. */
    take(test: (entry: FrontierEntry) => boolean, host?: string): FrontierEntry[] {
      const some = host === undefined ? [...hosts] : [[host, hosts.get(host)] as const];
      const removed: FrontierEntry[] = [];
      for (const [, queue] of some) for (const entry of queue?.take(test) ?? []) removed.push(entry);
      waiting -= removed.length;
      turns = turns.filter((name) => (hosts.get(name)?.length ?? 0) > 0);
      for (const [name, queue] of hosts) if (queue.length === 0) hosts.delete(name);
      at = 0;
      return removed;
    },
  };
}
