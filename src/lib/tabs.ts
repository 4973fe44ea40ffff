/** What the tabs of one browser tell each other about the session. */
export type TabMessage = { readonly type: 'signedOut' } | { readonly type: 'expired' } | { readonly type: 'signedIn' };

const channelName = 'console:session';
/** A channel hears every other channel of its name, those of its own tab too: so each message says where it is from. */
const here = `${String(Date.now())}-${String(Math.random())}`;
type Sent = { readonly from: string; readonly message: TabMessage };

export function tellTabs(message: TabMessage): void {
  if (typeof BroadcastChannel === 'undefined') return;
  const channel = new BroadcastChannel(channelName);
  channel.postMessage({ from: here, message } satisfies Sent);
  channel.close();
}

/** Hears the other tabs, never itself. Returns the way to stop. */
export function hearTabs(hear: (message: TabMessage) => void): () => void {
  if (typeof BroadcastChannel === 'undefined') return () => undefined;
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = ({ data }: MessageEvent<Sent>) => {
    if (data.from !== here) hear(data.message);
  };
  return () => channel.close();
}
