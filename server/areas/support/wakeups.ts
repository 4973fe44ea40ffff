import type { LiveEvent } from '../../../contract/live/schemas';
import type { Context } from '../../context';

/** What woke a reader; it then reads rows after the last version that it has. `typing`: an agent or the visitor types, of which there is no row. */
export type Wakeup = Extract<LiveEvent, { readonly type: 'support' | 'supportTyping' }>;

export type Wakeups = {
  /** Calls `wake` at events of a conversation, of every process. They can be lost: read at intervals too. Returns a function that stops it. */
  readonly watch: (conversationId: string, wake: (event: Wakeup) => void) => () => void;
  readonly close: () => void;
};

/** One subscription of the bus for any number of streams. */
export function openWakeups(ctx: Pick<Context, 'live'>): Wakeups {
  const watchers = new Map<string, Set<(event: Wakeup) => void>>();
  const stop = ctx.live.subscribe((event) => {
    if (event.type !== 'support' && event.type !== 'supportTyping') return;
    for (const wake of watchers.get(event.conversationId) ?? []) wake(event);
  });
  return {
    watch(conversationId, wake) {
      // Wrapped, so that the same function can watch twice.
      const own = (event: Wakeup): void => wake(event);
      const others = watchers.get(conversationId);
      if (others) others.add(own);
      else watchers.set(conversationId, new Set([own]));
      return () => {
        const rest = watchers.get(conversationId);
        rest?.delete(own);
        if (rest?.size === 0) watchers.delete(conversationId);
      };
    },
    close: () => {
      stop();
      watchers.clear();
    },
  };
}
