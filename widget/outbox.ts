import type { VisitedPage } from '../contract/support/visitors';
import type { Store } from './storage';

/** What begins a conversation, beside its first message. */
export type Start = { readonly fields: Readonly<Record<string, string>>; readonly page: VisitedPage };

/**
 * A message that the server has not acknowledged. It is stored before it is sent, and sent again under the same client id until the server answers, on another page
 * if necessary: nothing is lost, and the server stores it once.
 */
export type OutboxItem = {
  readonly clientId: string;
  readonly text: string;
  readonly at: string;
  /** The conversation; null: the one that the item itself, or the item before it, begins. */
  readonly conversation: string | null;
  readonly start?: Start;
  /** Never stored: files do not fit into the storage of texts. */
  readonly file?: File;
  /** The code of a refusal; such an item is sent again when the visitor says so. */
  readonly refused?: string;
};

const name = 'outbox';
/** Items that are stored; further ones last as long as the page. */
const mostItems = 200;

const isItem = (value: unknown): value is OutboxItem =>
  typeof value === 'object' && value !== null && 'clientId' in value && typeof value.clientId === 'string' && 'text' in value && typeof value.text === 'string';

/** Items of this browser; unreadable ones are dropped. */
export function readOutbox(store: Store): OutboxItem[] {
  try {
    const stored: unknown = JSON.parse(store.get(name) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isItem) : [];
  } catch {
    return [];
  }
}

/** Returns the items that are stored nowhere. */
function writeOutbox(store: Store, items: readonly OutboxItem[]): OutboxItem[] {
  const texts = items.filter(({ file }) => file === undefined).slice(0, mostItems);
  const isStored = store.set(name, texts.length === 0 ? null : JSON.stringify(texts));
  return isStored ? items.filter((item) => !texts.includes(item)) : [...items];
}

export type Outbox = {
  /** All items in order, those of other tabs included. */
  readonly items: () => readonly OutboxItem[];
  readonly add: (item: OutboxItem) => void;
  readonly remove: (clientId: string) => void;
  readonly change: (clientId: string, change: Partial<OutboxItem>) => void;
  /** Addresses what waits for a conversation that has begun. */
  readonly address: (conversation: string) => void;
  /** The next item to send: the first that was not refused. */
  readonly next: () => OutboxItem | null;
};

/** The time of a new item: later than that of the others, even if the clock was set back meanwhile. */
export function timeAfter(items: readonly OutboxItem[], now = Date.now()): string {
  const last = Math.max(...items.map(({ at }) => Date.parse(at) || 0), 0);
  return new Date(Math.max(now, last + 1)).toISOString();
}

/** Reads the storage for every change, so that tabs add to the same list. */
export function openOutbox(store: Store): Outbox {
  /** Items that only this tab has: files, and what the storage has no place for. */
  let own: readonly OutboxItem[] = [];
  const items = (): OutboxItem[] => {
    const ids = new Set(own.map(({ clientId }) => clientId));
    const shared = readOutbox(store).filter(({ clientId }) => !ids.has(clientId));
    return [...shared, ...own].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  };
  const write = (changed: readonly OutboxItem[]): void => {
    own = writeOutbox(store, changed);
  };
  return {
    items,
    add: (item) => write([...items(), item]),
    remove: (clientId) => write(items().filter((item) => item.clientId !== clientId)),
    change: (clientId, change) => write(items().map((item) => (item.clientId === clientId ? { ...item, ...change } : item))),
    address: (conversation) =>
      write(items().map(({ start, ...item }) => (item.conversation === null ? { ...item, conversation } : start ? { ...item, start } : item))),
    next: () => items().find(({ refused }) => refused === undefined) ?? null,
  };
}

/** Waits for some milliseconds, or until the browser is online again. */
export const pauseOffline = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener('online', end);
  });

/** Milliseconds before the next attempt after some failures: 1 s, doubled up to half a minute, with a random part, so that visitors do not return all at once. */
export const pauseAfter = (failures: number, random = Math.random()): number => Math.min(30_000, 1000 * 2 ** Math.min(5, failures - 1)) * (0.75 + random / 2);
