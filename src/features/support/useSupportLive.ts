import { useEffect, useEffectEvent, useRef } from 'react';
import type { Agent, Conversation } from '@contract/support/conversations';
import { supportLimits } from '@contract/support/terms';
import type { LiveSignal } from '@/lib/live';
import { useLive } from '@/lib/useLive';
import { useThrottled } from '@/lib/useThrottled';
import { useAppDispatch } from '@/store/hooks';
import { conversationsChanged, supportApi, useSupportQuery } from './supportApi';
import { useCatchUp } from './useCatchUp';

/**
 * Shortest interval between two requests of counts and agents, in milliseconds: while the page is visible, which grows with the agents who are online, so that
 * all of them together cause ten requests a second at most; and behind another page.
 */
const overviewMs = 1000;
const overviewMsOfAgent = 100;
const hiddenOverviewMs = 10_000;
/** Shortest interval between two requests of the open visitor. */
const visitorMs = 2000;
const again = { forceRefetch: true, subscribe: false } as const;

type Marks = Pick<Agent, 'typing'> & Partial<Agent>;

/**
 * Puts what events say about an agent into the overview. Of somebody who types no event may say that they have stopped. false: read it
 * again, because the agent is new, came or went, which may open or close the service.
 */
function useAgentMarks(siteId: string): (userId: string, values: Marks) => boolean {
  const dispatch = useAppDispatch();
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>());
  useEffect(() => {
    const running = timers.current;
    return () => running.forEach((timer) => clearTimeout(timer));
  }, []);
  const mark = (userId: string, values: Partial<Agent>): boolean => {
    let isEnough = false;
    dispatch(
      supportApi.util.updateQueryData('support', { siteId }, ({ agents }) => {
        const agent = agents.find(({ id }) => id === userId);
        if (!agent) return;
        isEnough = (values.online ?? agent.online) === agent.online && (values.status ?? agent.status) === agent.status;
        Object.assign(agent, values);
      }),
    );
    return isEnough;
  };
  return (userId, values) => {
    clearTimeout(timers.current.get(userId));
    timers.current.delete(userId);
    if (values.typing)
      timers.current.set(
        userId,
        setTimeout(() => {
          timers.current.delete(userId);
          mark(userId, { typing: false });
        }, supportLimits.typing * 1000),
      );
    return mark(userId, values);
  };
}

/**
 * Keeps the lists current: an event only wakes, and the rows that changed are then read from the counter on that this screen has reached, so that a lost
 * event loses nothing. `change`: the counter of the site when the overview was read. `onRows` gets the rows that changed.
 */
export function useSupportLive(siteId: string, change: number | undefined, onRows: (rows: readonly Conversation[]) => void): void {
  const dispatch = useAppDispatch();
  /** The counter up to which rows were read, and the latest one that an event or overview named. */
  const reached = useRef<number | null>(null);
  const known = useRef(0);
  const later = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(later.current), []);
  const readOverview = (): void => void dispatch(supportApi.util.invalidateTags([{ type: 'Support', id: siteId }]));
  const online = useSupportQuery({ siteId }, { selectFromResult: ({ currentData }) => ({ n: currentData?.agents.filter((one) => one.online).length ?? 0 }) }).n;
  const refreshWhileVisible = useThrottled(readOverview, Math.max(overviewMs, online * overviewMsOfAgent));
  const refreshVisitor = useThrottled(() => dispatch(supportApi.util.invalidateTags(['SupportVisitor'])), visitorMs);
  const refreshOverview = (): void => {
    refreshWhileVisible();
    // The number of unread messages is in the title of the page, which is read while another page is open.
    if (document.visibilityState !== 'hidden') return;
    later.current ??= setTimeout(() => {
      later.current = undefined;
      if (document.visibilityState === 'hidden') readOverview();
    }, hiddenOverviewMs);
  };
  const markAgent = useAgentMarks(siteId);
  const catchUp = useCatchUp(async () => {
    while (reached.current !== null && reached.current < known.current) {
      const before = known.current;
      const { data, error } = await dispatch(supportApi.endpoints.supportChanges.initiate({ siteId, after: reached.current }, again));
      if (!data) return error;
      reached.current = data.change;
      if (!data.more && known.current === before) known.current = data.change;
      if (data.rows.length === 0) continue;
      dispatch(conversationsChanged(siteId, data.rows));
      onRows(data.rows);
    }
    return undefined;
  });
  const catchUpTo = (newest: number): void => {
    known.current = Math.max(known.current, newest);
    catchUp();
  };
  // The overview may be newer than the rows: their event was lost, or came while no page of the site was open.
  const compare = useEffectEvent(() => {
    if (change === undefined) return;
    reached.current ??= change;
    catchUpTo(change);
  });
  useEffect(() => compare(), [change]);
  useLive([`support:${siteId}`], (signal: LiveSignal) => {
    switch (signal.type) {
      case 'support':
        refreshOverview();
        return catchUpTo(signal.change);
      case 'supportAgents':
        if (signal.agent === null || !markAgent(signal.agent.id, signal.agent)) refreshOverview();
        return;
      case 'supportTyping':
        if (signal.userId !== null) markAgent(signal.userId, { typing: true, viewing: signal.conversationId, online: true });
        return;
      case 'supportVisitor':
        return refreshVisitor();
      case 'supportSettings':
        return void dispatch(supportApi.util.invalidateTags(['SupportSettings', { type: 'Support', id: siteId }]));
      case 'resync':
        refreshOverview();
        refreshVisitor();
        return catchUpTo(Infinity);
      default:
        return;
    }
  });
}
