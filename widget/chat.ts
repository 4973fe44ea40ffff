import type {
  ConversationResponse,
  HelloResponse,
  VisitedPage,
  VisitorConversation,
  VisitorEvent,
  VisitorMessage,
  WidgetConfig,
} from '../contract/support/visitors';
import type { Api } from './api';
import { CallFailure } from './api';
import { openOutbox, timeAfter } from './outbox';
import type { Outbox, OutboxItem } from './outbox';
import { createSender } from './sender';
import type { Sender } from './sender';
import { stored } from './storage';
import type { Store } from './storage';
import { follow } from './stream';
import type { Following } from './stream';
import { mergeMessages, newerConversation, unsentOf } from './timeline';

const typingEvery = 3000;
const typingFor = 6000;
const readAfter = 400;
const pageEvery = 2000;
const loadAgainAfter = 3000;
/** Messages that are read at first, and with each step back. */
const pageSize = '50';

/** 128 random bits: names a message. */
export const newId = (): string => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const currentPage = (): VisitedPage => ({
  url: location.href.slice(0, 2000),
  title: document.title.slice(0, 300),
  referrer: document.referrer.slice(0, 2000),
});
/** The id that the tracker stores where the visitor allows it. */
const analyticsId = (): string | undefined => {
  try {
    return localStorage.getItem('_sw')?.slice(0, 64) ?? undefined;
  } catch {
    return undefined;
  }
};
/** An enquiry is an event of the visit, for goals: the tracker sends it, if there is one and the visitor may be measured. */
const countEnquiry = (): void => {
  const { sitewright } = window as { readonly sitewright?: unknown };
  try {
    if (typeof sitewright === 'function') (sitewright as (name: string) => void)('support_conversation');
  } catch {
    // A page may have put anything under this name; the conversation goes on.
  }
};
const ignoreFailure = (call: Promise<unknown>): void => void call.catch(() => undefined);
/** Milliseconds after which a stamp is accepted. */
const stampAge = 3000;
/** Whether the stamp of the form is too young or too old. */
const isTooEarly = ({ status, retryAfter, fields }: CallFailure): boolean => (status === 429 ? retryAfter <= 3 : fields.includes('stamp'));
const isGone = (error: unknown): boolean => error instanceof CallFailure && (error.status === 404 || error.status === 401);

/** What the widget shows, and what visitors do with it. Views read it after each change. */
export class Chat {
  readonly config: WidgetConfig;
  readonly sender: Sender;
  conversation: VisitorConversation | null;
  messages: readonly VisitorMessage[] = [];
  /** Whether there are earlier messages that were not read yet. */
  hasEarlier = false;
  isLoading = false;
  isConnected = true;
  isOpen = false;
  isFormSent = false;

  private readonly api: Api;
  private readonly store: Store;
  private stamp: string;
  private readonly outbox: Outbox;
  private readonly listeners = new Set<() => void>();
  /** The version up to which all messages are known; null: none was read. */
  private version: number | null = null;
  private typingUntil = 0;
  private typedAt = 0;
  /** Place up to which this tab has reported reading. */
  private readSeq = 0;
  private readTimer: ReturnType<typeof setTimeout> | undefined;
  private page = '';
  private following: Following | null = null;

  constructor(api: Api, site: string, store: Store, hello: HelloResponse) {
    this.api = api;
    this.store = store;
    this.config = hello.config;
    this.stamp = hello.stamp;
    this.conversation = hello.conversation;
    this.outbox = openOutbox(store);
    this.sender = createSender(api, site, this.outbox, {
      language: hello.config.language,
      analyticsId,
      begun: (response) => {
        countEnquiry();
        store.set(stored.known, '1');
        store.set(stored.conversation, response.conversation.id);
        this.adopt(response);
        this.startFollowing();
      },
      sent: (conversation, message) => {
        if (this.conversation?.id === conversation) this.messages = mergeMessages(this.messages, [message]);
      },
      gone: (conversation) => {
        if (this.conversation?.id === conversation) this.lose();
      },
      changed: () => this.publish(),
    });
    this.watchPage();
    if (this.outbox.next() !== null) this.sender.send();
    if (store.get(stored.opened, 'session') !== null) this.startFollowing();
  }

  /** Calls back after each change. */
  onChange(listener: () => void): void {
    this.listeners.add(listener);
  }

  get unsent(): OutboxItem[] {
    return unsentOf(this.outbox.items(), this.messages);
  }
  get isTyping(): boolean {
    return Date.now() < this.typingUntil;
  }
  get unread(): number {
    if (this.messages.length === 0) return this.conversation?.unread ?? 0;
    const read = Math.max(this.readSeq, this.conversation?.visitorReadSeq ?? 0);
    return this.messages.filter(({ from, seq, isDeleted }) => from === 'agent' && seq > read && !isDeleted).length;
  }

  setOpen(open: boolean): void {
    // What was visible until now was read.
    if (!open) this.reportRead();
    this.isOpen = open;
    if (open) {
      this.store.set(stored.opened, '1', 'session');
      this.isFormSent = false;
      this.startFollowing();
    }
    this.planRead();
    this.publish();
  }

  /** Begins a conversation with the values of its form. */
  begin(text: string, fields: Readonly<Record<string, string>>): void {
    this.add({ text, conversation: null, start: { fields, page: currentPage() } });
  }

  write(text: string): void {
    const conversation = this.conversation?.id ?? null;
    const isBeginning = conversation === null && this.outbox.items().every((item) => item.conversation !== null);
    this.add({ text, conversation, ...(isBeginning ? { start: { fields: {}, page: currentPage() } } : {}) });
  }

  addFile(file: File): void {
    if (this.conversation !== null) this.add({ text: file.name, conversation: this.conversation.id, file });
  }

  /** Gives up an item that was refused. */
  drop(clientId: string): void {
    this.outbox.remove(clientId);
    this.publish();
  }

  /** Says that the visitor types. */
  type(): void {
    if (this.conversation === null || Date.now() - this.typedAt < typingEvery) return;
    this.typedAt = Date.now();
    ignoreFailure(this.api.typing(this.conversation.id));
  }

  async rate(rating: number, comment: string): Promise<void> {
    if (this.conversation !== null) this.receiveChanged(this.conversation.id, await this.api.rate(this.conversation.id, rating, comment));
  }

  /** Leaves the form. `website` is filled in by programs only. The same client id for each attempt stores it once. */
  async leaveForm(clientId: string, text: string, fields: Readonly<Record<string, string>>, website: string): Promise<void> {
    const form = { clientId, message: { clientId, text }, fields, page: currentPage(), language: this.config.language, website };
    try {
      await this.api.leaveForm({ ...form, stamp: this.stamp });
    } catch (error) {
      if (!(error instanceof CallFailure) || !isTooEarly(error)) throw error;
      // Filled in by the browser within two seconds, or the page was open for more than a day.
      if (error.status !== 429) this.stamp = await this.newStamp();
      await new Promise((resolve) => setTimeout(resolve, stampAge));
      await this.api.leaveForm({ ...form, stamp: this.stamp });
    }
    countEnquiry();
    this.store.set(stored.known, '1');
    this.isFormSent = true;
    this.publish();
  }

  async loadEarlier(): Promise<void> {
    const first = this.messages[0];
    if (this.conversation === null || first === undefined) return;
    const response = await this.api.messages(this.conversation.id, { before: String(first.seq), size: pageSize });
    this.messages = mergeMessages(this.messages, response.messages);
    this.hasEarlier = response.more;
    this.publish();
  }

  transcript(): Promise<Blob> {
    return this.api.transcript(this.conversation?.id ?? '');
  }

  urlOfFile(path: string): string {
    return this.api.urlOf(path);
  }

  private async newStamp(): Promise<string> {
    const hello = await this.api.hello(this.config.language, location.href);
    return hello.config === null ? this.stamp : hello.stamp;
  }

  private publish(): void {
    for (const listener of this.listeners) listener();
  }

  private add(item: Omit<OutboxItem, 'clientId' | 'at'>): void {
    this.outbox.add({ clientId: newId(), at: timeAfter(this.outbox.items()), ...item });
    this.publish();
    this.sender.send();
  }

  private adopt({ conversation, messages, version }: Omit<ConversationResponse, 'more'>): void {
    if (this.conversation?.id !== conversation.id) this.forget();
    this.conversation = newerConversation(this.conversation, conversation);
    this.messages = mergeMessages(this.messages, messages);
    this.version = Math.max(this.version ?? 0, version);
    if (messages.some(({ from }) => from === 'agent')) this.typingUntil = 0;
    for (const { clientId } of messages) if (clientId !== null) this.outbox.remove(clientId);
    this.planRead();
    this.publish();
  }

  private receive(event: VisitorEvent): void {
    if (event.type !== 'typing' && this.conversation !== null && event.conversation.id !== this.conversation.id) return this.switchTo(event.conversation.id);
    if (event.type === 'messages') return this.adopt(event);
    if (event.type === 'typing') {
      this.typingUntil = Date.now() + typingFor;
      setTimeout(() => this.publish(), typingFor + 50);
    } else this.conversation = newerConversation(this.conversation, event.conversation);
    this.publish();
  }

  /** A response about a conversation that is no longer open says nothing about the one that is. */
  private receiveChanged(id: string, conversation: VisitorConversation): void {
    if (this.conversation?.id === id) this.receive({ type: 'conversation', conversation });
  }

  private forget(): void {
    this.messages = [];
    this.version = null;
    this.readSeq = 0;
    this.hasEarlier = false;
  }

  private lose(): void {
    this.stopFollowing();
    this.conversation = null;
    this.forget();
    this.store.set(stored.conversation, null);
    this.publish();
  }

  /** Another tab began a conversation, or this one became part of another. */
  private switchTo(id: string): void {
    this.stopFollowing();
    this.forget();
    this.store.set(stored.conversation, id);
    void this.load(id).then(() => this.startFollowing());
  }

  private stopFollowing(): void {
    this.following?.stop();
    this.following = null;
  }

  /** Reads the newest messages once; what comes later arrives by following. */
  private async load(id: string): Promise<void> {
    this.isLoading = true;
    this.publish();
    try {
      const response = await this.api.messages(id, { size: pageSize });
      this.hasEarlier = response.more;
      this.adopt(response);
      this.isConnected = true;
    } catch (error) {
      if (isGone(error)) this.lose();
      else this.isConnected = false;
    } finally {
      this.isLoading = false;
      this.publish();
    }
  }

  private startFollowing(): void {
    const { conversation } = this;
    if (conversation === null || this.following !== null) return;
    let isStopped = false;
    this.following = { stop: () => void (isStopped = true), wake: () => undefined };
    void (async () => {
      while (!isStopped && this.version === null) {
        await this.load(conversation.id);
        if (!isStopped && this.version === null) await new Promise((resolve) => setTimeout(resolve, loadAgainAfter));
      }
      if (isStopped) return;
      this.following = follow(this.api, conversation.id, {
        version: () => this.version ?? 0,
        receive: (event) => this.receive(event),
        lose: () => this.lose(),
        setConnected: (connected) => this.setConnected(connected),
      });
    })();
  }

  private setConnected(connected: boolean): void {
    if (this.isConnected === connected) return;
    this.isConnected = connected;
    if (connected) this.sender.send();
    this.publish();
  }

  private planRead(): void {
    clearTimeout(this.readTimer);
    this.readTimer = setTimeout(() => this.reportRead(), readAfter);
  }

  private reportRead(): void {
    const { conversation } = this;
    const last = this.messages.at(-1)?.seq ?? 0;
    if (conversation === null || !this.isOpen || document.hidden || last <= Math.max(conversation.visitorReadSeq, this.readSeq)) return;
    this.readSeq = last;
    ignoreFailure(this.api.read(conversation.id, last).then((changed) => this.receiveChanged(conversation.id, changed)));
    this.publish();
  }

  /** Says which page is open while the conversation goes on. */
  private reportPage(): void {
    const { conversation } = this;
    if (conversation === null || conversation.isResolved || this.following === null || document.hidden || this.page === location.href) return;
    this.page = location.href;
    ignoreFailure(this.api.page(conversation.id, currentPage()));
  }

  private watchPage(): void {
    setInterval(() => this.reportPage(), pageEvery);
    document.addEventListener('visibilitychange', () => this.planRead());
    // Without a stream nothing else says that the connection is there again.
    addEventListener('online', () => (this.following ? this.following.wake() : this.setConnected(true)));
    addEventListener('offline', () => this.setConnected(false));
    addEventListener('beforeunload', (event) => {
      if (this.outbox.items().some(({ file, refused }) => file !== undefined && refused === undefined)) event.preventDefault();
    });
    this.store.onChange((name) => {
      const id = this.store.get(stored.conversation);
      if (name === stored.conversation && id !== null && this.conversation?.id !== id) this.switchTo(id);
      this.publish();
    });
  }
}
