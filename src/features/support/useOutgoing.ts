import { addListener, isAnyOf } from '@reduxjs/toolkit';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { selectSession } from '@/features/session/sessionSlice';
import type { AppDispatch, AppStore, RootState } from '@/store';
import { personReplaced, signedOut } from '@/store/events';
import { useAppSelector, useAppStore } from '@/store/hooks';
import { makeOutgoing } from './conversation/outgoing';
import type { OutgoingQueue } from './conversation/outgoing';
import { makeOutgoingStore } from './conversation/outgoingStore';
import type { Outgoing } from './conversation/outgoingStore';
import { forgetOldReplyDrafts } from './conversation/replyDrafts';
import { sendOutgoing } from './conversation/sendOutgoing';

const storageOf = (): Storage | null => {
  try {
    return localStorage;
  } catch {
    return null;
  }
};

const queues = new WeakMap<AppStore, OutgoingQueue>();

/** The queue of this tab, which goes on sending on other pages of the console, until the person signs out. */
function queueOf(store: AppStore, userId: string): OutgoingQueue {
  const existing = queues.get(store);
  if (existing) return existing;
  const prefix = `console:outgoing:${userId}:`;
  const queue = makeOutgoing({
    stored: makeOutgoingStore(storageOf(), prefix),
    send: (entry, file) => sendOutgoing(store.dispatch, entry, file),
    setTimer: (run, ms) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  });
  queues.set(store, queue);
  forgetOldReplyDrafts();
  const onStorage = ({ key, newValue }: StorageEvent): void => {
    if (newValue === null && key?.startsWith(prefix) === true) queue.forget(key.slice(prefix.length));
  };
  addEventListener('online', queue.resume);
  addEventListener('storage', onStorage);
  store.dispatch(
    addListener.withTypes<RootState, AppDispatch>()({
      matcher: isAnyOf(signedOut, personReplaced),
      effect: (_action, { unsubscribe }) => {
        unsubscribe();
        queue.stop();
        queues.delete(store);
        removeEventListener('online', queue.resume);
        removeEventListener('storage', onStorage);
      },
    }),
  );
  return queue;
}

export function useOutgoing(): OutgoingQueue {
  const store = useAppStore();
  const userId = useAppSelector(selectSession)?.userId ?? '';
  return useMemo(() => queueOf(store, userId), [store, userId]);
}

/** Sends what an earlier tab left behind as soon as the screen opens. */
export function useRestoredOutgoing(): void {
  const queue = useOutgoing();
  useEffect(() => queue.restore(), [queue]);
}

/** Messages of one conversation that the server does not have yet, in their order. */
export function useOutgoingOf(conversation: string): readonly Outgoing[] {
  const queue = useOutgoing();
  const entries = useSyncExternalStore(queue.subscribe, queue.entries);
  return useMemo(() => entries.filter((one) => one.conversation === conversation), [entries, conversation]);
}
