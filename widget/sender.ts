import type { ConversationResponse, VisitedPage, VisitorMessage } from '../contract/support/visitors';
import type { Api } from './api';
import { CallFailure } from './api';
import type { Outbox, OutboxItem } from './outbox';
import { pauseAfter } from './outbox';

type Handlers = {
  readonly language: string;
  readonly analyticsId: () => string | undefined;
  /** A conversation has begun. */
  readonly begun: (response: ConversationResponse) => void;
  readonly sent: (conversation: string, message: VisitorMessage) => void;
  /** The conversation does not exist any more. */
  readonly gone: (conversation: string) => void;
  /** The outbox, or what happens to it, changed. */
  readonly changed: () => void;
};

export type Sender = {
  /** Sends what waits, one item after the other. */
  readonly send: () => void;
  /** Sends an item again that was refused. */
  readonly retry: (clientId: string) => void;
  /** The item on its way; null: none. */
  readonly sending: () => string | null;
  /** Whether the last attempt failed. */
  readonly isStuck: () => boolean;
};

/** One tab of a browser sends at a time where the browser has locks; elsewhere a message may be sent twice, and is stored once. */
const alone = async (site: string, work: () => Promise<void>): Promise<void> => {
  const locks = (navigator as Partial<Navigator>).locks;
  return locks ? locks.request(`_sc.${site}`, work) : work();
};

/** Seconds after which a message that has to wait longer is refused, so that those behind it go on. */
const longestWait = 60;

const emptyPage: VisitedPage = { url: '', title: '', referrer: '' };

export function createSender(api: Api, site: string, outbox: Outbox, { language, analyticsId, begun, sent, gone, changed }: Handlers): Sender {
  let current: string | null = null;
  let isRunning = false;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function deliver({ clientId, text, conversation, start, file }: OutboxItem): Promise<void> {
    if (conversation === null) {
      const analytics = analyticsId();
      const response = await api.begin({
        // The first message names the conversation, so that beginning it again changes nothing.
        clientId,
        message: { clientId, text },
        fields: { ...start?.fields },
        page: start?.page ?? emptyPage,
        language,
        ...(analytics === undefined ? {} : { analyticsId: analytics }),
      });
      outbox.remove(clientId);
      outbox.address(response.conversation.id);
      begun(response);
      return;
    }
    const message = file ? await api.sendFile(conversation, clientId, file) : await api.send(conversation, clientId, text);
    outbox.remove(clientId);
    sent(conversation, message);
  }

  /** What follows from a failure. Returns whether the next item may be tried. */
  function handle({ clientId, conversation, file }: OutboxItem, error: unknown): boolean {
    const failure = error instanceof CallFailure ? error : new CallFailure(0, 'unreachable');
    if (failure.isTemporary && failure.retryAfter <= longestWait) {
      failures += 1;
      timer = setTimeout(send, Math.max(failure.retryAfter * 1000, pauseAfter(failures)));
      return false;
    }
    // The conversation was deleted meanwhile: the text begins another one.
    if (failure.status === 404 && conversation !== null && file === undefined) {
      outbox.change(clientId, { conversation: null });
      gone(conversation);
    } else outbox.change(clientId, { refused: failure.code });
    return true;
  }

  async function sendAll(): Promise<void> {
    for (let item = outbox.next(); item !== null; item = outbox.next()) {
      current = item.clientId;
      changed();
      try {
        await deliver(item);
        failures = 0;
      } catch (error) {
        if (!handle(item, error)) return;
      } finally {
        current = null;
        changed();
      }
    }
  }

  function send(): void {
    clearTimeout(timer);
    if (isRunning) return;
    isRunning = true;
    void alone(site, sendAll).finally(() => {
      isRunning = false;
      changed();
    });
  }

  addEventListener('online', send);
  return {
    send,
    sending: () => current,
    isStuck: () => failures > 0,
    retry(clientId) {
      const item = outbox.items().find((one) => one.clientId === clientId);
      if (!item) return;
      const { refused: _, ...again } = item;
      outbox.remove(clientId);
      outbox.add(again);
      send();
    },
  };
}
