import { useCallback, useEffect } from 'react';
import type { Agent } from '@contract/support/conversations';
import { supportLimits } from '@contract/support/terms';
import type { AgentStatus } from '@contract/support/terms';
import { useAppDispatch } from '@/store/hooks';
import { supportApi } from './supportApi';

/**
 * Tells the server that this console is open, which conversation it shows and whether an answer is being typed. The answer, which names all agents, goes into
 * the overview.
 */
export function useAgentPresence(siteId: string, viewing: string | null, mayReply: boolean) {
  const dispatch = useAppDispatch();
  const send = useCallback(
    async (body: { readonly status?: AgentStatus; readonly typing?: boolean }): Promise<void> => {
      if (!mayReply) return;
      const { data } = await dispatch(supportApi.endpoints.supportPresence.initiate({ siteId, body: { viewing, ...body } }, { track: false }));
      if (data)
        dispatch(
          supportApi.util.updateQueryData('support', { siteId }, (overview) => {
            overview.agents = data;
          }),
        );
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
  return send;
}

/** Others who have the conversation open, and those of them who type an answer. */
export const othersOn = (agents: readonly Agent[], conversation: string, me: string): { readonly viewing: Agent[]; readonly typing: Agent[] } => {
  const viewing = agents.filter((agent) => agent.id !== me && agent.online && agent.viewing === conversation);
  return { viewing, typing: viewing.filter(({ typing }) => typing) };
};
