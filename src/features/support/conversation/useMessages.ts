import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Conversation } from '@contract/support/conversations';
import { supportLimits } from '@contract/support/terms';
import { isFailure } from '@/lib/failure';
import type { LiveSignal } from '@/lib/live';
import { useLive } from '@/lib/useLive';
import { useAppDispatch } from '@/store/hooks';
import { supportApi, useMarkSupportReadMutation, useSupportMessagesQuery } from '../supportApi';
import { useCatchUp } from '../useCatchUp';

const again = { forceRefetch: true, subscribe: false } as const;

/**
 * Messages of a conversation. Later ones are read from the version on that is loaded, after an event and whenever the conversation has a newer one, so that
 * neither a lost event nor a lost connection loses a message.
 */
export function useMessages(siteId: string, id: string, newest: number | undefined) {
  const dispatch = useAppDispatch();
  const result = useSupportMessagesQuery({ siteId, id });
  const { currentData } = result;
  const version = currentData?.version;
  const catchUp = useCatchUp(async () => {
    if (version === undefined) return undefined;
    let after = version;
    for (;;) {
      const { data, error } = await dispatch(supportApi.endpoints.supportMessages.initiate({ siteId, id, after }, again));
      // The conversation was erased meanwhile: reading it again says so on the screen.
      if (isFailure(error) && error.status === 404) dispatch(supportApi.util.invalidateTags([{ type: 'SupportConversation', id }]));
      // The answer is the merged cache: what it has reached is where the next part begins.
      if (!data || data.version <= after) return error;
      after = data.version;
    }
  });
  useEffect(() => {
    if (version !== undefined && newest !== undefined && newest > version) catchUp();
  }, [version, newest, catchUp]);
  useLive([`support:${siteId}`], (signal: LiveSignal) => {
    if ((signal.type === 'support' && signal.conversationId === id) || signal.type === 'resync') catchUp();
  });
  const first = currentData?.rows[0]?.seq;
  return {
    result,
    hasEarlier: currentData?.more === true,
    async loadEarlier(): Promise<void> {
      if (first !== undefined) await dispatch(supportApi.endpoints.supportMessages.initiate({ siteId, id, before: first }, again));
    },
  };
}

/** Marks the messages as read while somebody looks at them: the conversation is open and its window has the focus. */
export function useReading(siteId: string, conversation: Conversation, lastSeq: number, mayReply: boolean): void {
  const [markRead] = useMarkSupportReadMutation();
  const marked = useRef(0);
  const { id, unread } = conversation;
  const read = useEffectEvent(() => {
    if (!mayReply || unread === 0 || lastSeq <= marked.current || document.visibilityState !== 'visible' || !document.hasFocus()) return;
    marked.current = lastSeq;
    void markRead({ siteId, id, body: { seq: lastSeq } }).then(({ error }) => {
      if (error !== undefined) marked.current = 0;
    });
  });
  useEffect(() => {
    read();
    addEventListener('focus', read);
    return () => removeEventListener('focus', read);
  }, [id, lastSeq, unread]);
}

/** Whether the visitor types: said by events, and forgotten when none follows. */
export function useVisitorTyping(siteId: string, id: string): boolean {
  const [typing, setTyping] = useState(false);
  useLive([`support:${siteId}`], (signal: LiveSignal) => {
    if (signal.type === 'supportTyping' && signal.conversationId === id && signal.userId === null) setTyping(true);
    if (signal.type === 'support' && signal.conversationId === id) setTyping(false);
  });
  useEffect(() => {
    if (!typing) return undefined;
    const timer = setTimeout(() => setTyping(false), supportLimits.typing * 1000);
    return () => clearTimeout(timer);
  }, [typing]);
  return typing;
}
