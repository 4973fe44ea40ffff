/** Pages opened by a link with a one-time token. */
export const linkKinds = ['setup', 'reset', 'invite', 'email', 'contact'] as const;
export type LinkKind = (typeof linkKinds)[number];

/** `/sign/reset` → `reset`; null for pages that need no link. */
export const linkKindOf = (path: string): LinkKind | null => linkKinds.find((kind) => new RegExp(`^/sign/${kind}/?$`).test(path)) ?? null;

const keyOf = (kind: LinkKind): string => `sign.token.${kind}`;

/**
 * The token of `#t=…`, removed from the address so that it is in no history entry, screenshot or referrer. It is stored for the tab, so that a reload
 * in the middle of the form does not invalidate the link.
 */
export function takeToken(kind: LinkKind | null): string | null {
  if (kind === null) return null;
  const token = new URLSearchParams(location.hash.slice(1)).get('t');
  try {
    if (token !== null && token !== '') {
      history.replaceState(null, '', location.pathname + location.search);
      sessionStorage.setItem(keyOf(kind), token);
      return token;
    }
    return sessionStorage.getItem(keyOf(kind));
  } catch {
    return token;
  }
}

export function forgetToken(kind: LinkKind): void {
  try {
    sessionStorage.removeItem(keyOf(kind));
  } catch {
    // Without storage nothing was remembered.
  }
}
