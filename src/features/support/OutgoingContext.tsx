import { createContext, useContext, useEffect, useMemo, useSyncExternalStore } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { selectSession } from '@/features/session/sessionSlice';
import { useAppSelector, useAppStore } from '@/store/hooks';
import { makeOutgoing } from './conversation/outgoing';
import type { Outgoing, OutgoingQueue } from './conversation/outgoing';
import { sendOutgoing } from './conversation/sendOutgoing';

const Context = createContext<OutgoingQueue | null>(null);

const storageOf = (): Storage | null => {
  try {
    return localStorage;
  } catch {
    return null;
  }
};

/** The queue of the person's unsent messages; what an earlier tab left behind is sent as soon as the screen opens. */
export function OutgoingProvider({ children }: { readonly children: ReactNode }): ReactElement {
  const { t } = useTranslation('support');
  const store = useAppStore();
  const userId = useAppSelector(selectSession)?.userId ?? '';
  const lost = t('message.fileLost');
  const queue = useMemo(
    () =>
      makeOutgoing({
        storage: storageOf(),
        key: `console:outgoing:${userId}`,
        send: (entry, file) => sendOutgoing(store.dispatch, entry, file),
        setTimer: (run, ms) => {
          const timer = setTimeout(run, ms);
          return () => clearTimeout(timer);
        },
      }),
    [store, userId],
  );
  useEffect(() => {
    queue.restore(lost);
    addEventListener('online', queue.resume);
    return () => removeEventListener('online', queue.resume);
  }, [queue, lost]);
  return <Context value={queue}>{children}</Context>;
}

export function useOutgoing(): OutgoingQueue {
  const queue = useContext(Context);
  if (!queue) throw new Error('useOutgoing needs an OutgoingProvider above it');
  return queue;
}

/** Messages of one conversation that the server does not have yet, in their order. */
export function useOutgoingOf(conversation: string): readonly Outgoing[] {
  const queue = useOutgoing();
  const entries = useSyncExternalStore(queue.subscribe, queue.entries);
  return useMemo(() => entries.filter((one) => one.conversation === conversation), [entries, conversation]);
}
