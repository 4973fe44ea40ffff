import type { LiveEnvironment, LiveListener, Topics } from './liveEnvironment';
import { createLiveLead } from './liveLead';
import { createLiveStream } from './liveStream';
import { createLiveState, createLiveSubscriptions } from './liveSubscriptions';
import { createWireReceiver } from './liveWire';
import type { TabSignal } from './liveWire';

export { browserLive } from './liveEnvironment';
export type { LiveEnvironment, LiveSignal, LiveState } from './liveEnvironment';

/**
 * One stream of live changes per browser. The tab that holds the lock `console:live` owns the `EventSource` and forwards every event through a
 * `BroadcastChannel`; when it closes, the next tab in the queue takes over. A browser may freeze the leading tab: the others ping it periodically and
 * steal the lock if it does not answer. Without locks (plain http on another host) each tab has its own stream. `resync` is sent when events may have
 * been missed: after a reconnection, and when another tab took over.
 */
export function makeLive(env: LiveEnvironment) {
  const tab = Math.random().toString(36).slice(2);
  const subscriptions = createLiveSubscriptions();
  const others = new Map<string, Topics>();
  let channel: ReturnType<LiveEnvironment['openChannel']> = null;

  const send = (wire: TabSignal): void => channel?.postMessage(wire);
  const sendTopics = (): void => send({ kind: 'topics', tab, topics: subscriptions.topics() });

  const { state, become, watchState } = createLiveState((next) => {
    if (lead.isLeading()) send({ kind: 'state', state: next });
  });
  const stream = createLiveStream(env, {
    onState: become,
    onSignal: (signal) => {
      subscriptions.deliver(signal);
      send({ kind: 'signal', signal });
    },
    topics: () => (lead.isLeading() ? [...subscriptions.topics(), ...[...others.values()].flat()] : []),
  });
  const lead = createLiveLead(env, {
    onLead: () => {
      // The known state was that of the previous leader's stream.
      become('connecting');
      send({ kind: 'ask' });
      stream.plan();
    },
    onLost: () => {
      stream.close();
      lead.queue();
      sendTopics();
    },
    ping: () => send({ kind: 'ping' }),
  });

  const onWire = createWireReceiver({ lead, others, state, become, plan: stream.plan, send, sendTopics, deliver: subscriptions.deliver });

  const announceTopics = (): void => {
    sendTopics();
    if (lead.isLeading()) stream.plan();
  };

  const begin = (): void => {
    channel = env.openChannel();
    if (channel) channel.onmessage = (event: MessageEvent<TabSignal>) => onWire(event.data);
    if (!env.lead || !channel) {
      lead.leadAlone();
      return stream.plan();
    }
    lead.queue();
  };

  const end = (): void => {
    send({ kind: 'gone', tab });
    stream.end();
    lead.leave();
    channel?.close();
    channel = null;
    others.clear();
  };

  return {
    /** Receives the signals of `topics` until the returned function is called. */
    subscribe(topics: Topics, onSignal: LiveListener): () => void {
      const remove = subscriptions.add(topics, onSignal);
      if (subscriptions.count() === 1) begin();
      announceTopics();
      return () => {
        remove();
        if (subscriptions.count() === 0) return end();
        announceTopics();
      };
    },
    isLeading: lead.isLeading,
    state,
    watchState,
  };
}
