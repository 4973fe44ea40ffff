import type { LiveListener, LiveSignal, LiveState, Topics } from './liveEnvironment';
import type { LiveLead } from './liveLead';

/** Messages between the tabs of one browser. */
export type TabSignal =
  | { readonly kind: 'signal'; readonly signal: LiveSignal }
  | { readonly kind: 'state'; readonly state: LiveState }
  | { readonly kind: 'topics'; readonly tab: string; readonly topics: Topics }
  | { readonly kind: 'gone'; readonly tab: string }
  | { readonly kind: 'ask' | 'ping' | 'alive' };

type ReceiverParts = {
  readonly lead: Pick<LiveLead, 'isLeading' | 'noteReply'>;
  /** Topics of other tabs, by their names. */
  readonly others: Map<string, Topics>;
  readonly state: () => LiveState;
  readonly become: (state: LiveState) => void;
  readonly plan: () => void;
  readonly send: (wire: TabSignal) => void;
  readonly sendTopics: () => void;
  readonly deliver: LiveListener;
};

/** What a tab does about messages of the others. */
export function createWireReceiver({ lead, others, state, become, plan, send, sendTopics, deliver }: ReceiverParts): (wire: TabSignal) => void {
  return (wire) => {
    switch (wire.kind) {
      case 'signal':
        lead.noteReply();
        return deliver(wire.signal);
      case 'state':
        return lead.isLeading() ? undefined : become(wire.state);
      case 'ask':
        return sendTopics();
      case 'ping':
        if (!lead.isLeading()) return;
        send({ kind: 'alive' });
        return send({ kind: 'state', state: state() });
      case 'alive':
        return lead.noteReply();
      case 'gone':
        others.delete(wire.tab);
        return lead.isLeading() ? plan() : undefined;
      case 'topics':
        others.set(wire.tab, wire.topics);
        if (!lead.isLeading()) return;
        send({ kind: 'state', state: state() });
        return plan();
    }
  };
}
