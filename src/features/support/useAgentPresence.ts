import { useCallback, useEffect, useRef, useState } from 'react';
import type { Agent } from '@contract/support/conversations';
import { supportLimits } from '@contract/support/terms';
import type { AgentStatus } from '@contract/support/terms';
import { useAppDispatch } from '@/store/hooks';
import { supportApi } from './supportApi';

/**
 * Tells the server that this console is open, which conversation it shows and whether an answer is being typed, and learns the same of the other agents.
 * `listed`: the agents of the overview, which a later answer replaces.
 */
export function useAgentPresence(siteId: string, viewing: string | null, listed: readonly Agent[], mayReply: boolean) {
  const dispatch = useAppDispatch();
  const [agents, setAgents] = useState<readonly Agent[] | null>(null);
  const latest = useRef(listed);
  const send = useCallback(
    async (body: { readonly status?: AgentStatus; readonly typing?: boolean; readonly leaving?: boolean }): Promise<void> => {
      if (!mayReply) return;
      const { data } = await dispatch(supportApi.endpoints.supportPresence.initiate({ siteId, body: { viewing, ...body } }, { track: false }));
      if (data && body.leaving !== true) setAgents(data);
    },
    [dispatch, siteId, viewing, mayReply],
  );
  useEffect(() => {
    void send({});
    const timer = setInterval(() => void send({}), supportLimits.presence.heartbeat * 1000);
    return () => clearInterval(timer);
  }, [send]);
  useEffect(
    () => () => {
      if (mayReply) void dispatch(supportApi.endpoints.supportPresence.initiate({ siteId, body: { leaving: true } }, { track: false }));
    },
    [dispatch, siteId, mayReply],
  );
  // Whichever came last is true: an overview after an event, or the answer to a heartbeat.
  useEffect(() => {
    if (latest.current !== listed) setAgents(null);
    latest.current = listed;
  }, [listed]);
  return { agents: agents ?? listed, send };
}

/** Others who have the conversation open, and those of them who type an answer. */
export const othersOn = (agents: readonly Agent[], conversation: string, me: string): { readonly viewing: Agent[]; readonly typing: Agent[] } => {
  const viewing = agents.filter((agent) => agent.id !== me && agent.online && agent.viewing === conversation);
  return { viewing, typing: viewing.filter(({ typing }) => typing) };
};
