/** Messages about the session between the tabs of one browser. */
export type TabMessage = { readonly type: 'signedOut'; /** Epoch ms. */ readonly at: number } | { readonly type: 'expired' } | { readonly type: 'signedIn' };

const channelName = 'console:session';
/** A channel receives messages from every other channel of its name, including those of its own tab: so each message carries its sender. */
const here = `${String(Date.now())}-${String(Math.random())}`;
type Sent = { readonly from: string; readonly message: TabMessage };

export function broadcastToTabs(message: TabMessage): void {
  if (typeof BroadcastChannel === 'undefined') return;
  const channel = new BroadcastChannel(channelName);
  channel.postMessage({ from: here, message } satisfies Sent);
  channel.close();
}

/** Subscribes to messages of the other tabs, never its own. Returns a function that unsubscribes. */
export function listenToTabs(onMessage: (message: TabMessage) => void): () => void {
  if (typeof BroadcastChannel === 'undefined') return () => undefined;
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = ({ data }: MessageEvent<Sent>) => {
    if (data.from !== here) onMessage(data.message);
  };
  return () => channel.close();
}
