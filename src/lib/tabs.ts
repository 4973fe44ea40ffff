/** What the tabs of one browser tell each other about the session. */
export type TabMessage = { readonly type: 'signedOut' } | { readonly type: 'expired' } | { readonly type: 'signedIn' };

const channelName = 'console:session';

export function tellTabs(message: TabMessage): void {
  if (typeof BroadcastChannel === 'undefined') return;
  const channel = new BroadcastChannel(channelName);
  channel.postMessage(message);
  channel.close();
}

/** Hears the other tabs, never itself. Returns the way to stop. */
export function hearTabs(hear: (message: TabMessage) => void): () => void {
  if (typeof BroadcastChannel === 'undefined') return () => undefined;
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = (event: MessageEvent<TabMessage>) => hear(event.data);
  return () => channel.close();
}
