import { useEffect, useEffectEvent, useRef } from 'react';
import type { Conversation } from '@contract/support/conversations';
import { supportLimits } from '@contract/support/terms';
import type { LiveSignal } from '@/lib/live';
import { useLive } from '@/lib/useLive';
import { useThrottled } from '@/lib/useThrottled';
import { useAppDispatch } from '@/store/hooks';
import { conversationsChanged, supportApi } from './supportApi';

/** Shortest interval between two requests of counts and agents, in milliseconds. */
const overviewMs = 1000;
const again = { forceRefetch: true, subscribe: false } as const;

/**
 * Keeps the lists current: an event only wakes, and the rows that changed are then read from the counter on that this screen has reached, so that a lost
 * event loses nothing. `change`: the counter of the site when the overview was read. `onRows` gets
 * the rows that changed.
 */
export function useSupportLive(siteId: string, change: number | undefined, onRows: (rows: readonly Conversation[]) => void): void {
  const dispatch = useAppDispatch();
  const reached = useRef<number | null>(null);
  const reading = useRef(false);
  const isAgain = useRef(false);
  const typingEnd = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(typingEnd.current), []);
  const refreshOverview = useThrottled(() => dispatch(supportApi.util.invalidateTags([{ type: 'Support', id: siteId }])), overviewMs);
  const pull = async (): Promise<void> => {
    if (reached.current === null) return;
    if (reading.current) {
      isAgain.current = true;
      return;
    }
    reading.current = true;
    for (;;) {
      isAgain.current = false;
      const after: number = reached.current;
      const { data } = await dispatch(supportApi.endpoints.supportChanges.initiate({ siteId, after }, again));
      if (!data) break;
      reached.current = data.change;
      if (data.rows.length > 0) {
        dispatch(conversationsChanged(siteId, data.rows));
        onRows(data.rows);
      }
      if (!data.more && !isAgain.current) break;
    }
    reading.current = false;
  };
  const start = useEffectEvent(() => {
    reached.current ??= change ?? null;
  });
  useEffect(() => start(), [change]);
  useLive([`support:${siteId}`], (signal: LiveSignal) => {
    switch (signal.type) {
      case 'support':
        refreshOverview();
        return void pull();
      case 'supportAgents':
        return refreshOverview();
      case 'supportTyping':
        // Who types is part of the overview, and nothing says when they have stopped.
        if (signal.userId === null) return;
        refreshOverview();
        clearTimeout(typingEnd.current);
        typingEnd.current = setTimeout(refreshOverview, (supportLimits.typing + 1) * 1000);
        return;
      case 'supportVisitor':
        return void dispatch(supportApi.util.invalidateTags(['SupportVisitor']));
      case 'supportSettings':
        return void dispatch(supportApi.util.invalidateTags(['SupportSettings', { type: 'Support', id: siteId }]));
      case 'resync':
        refreshOverview();
        dispatch(supportApi.util.invalidateTags(['SupportVisitor']));
        return void pull();
      default:
        return;
    }
  });
}
