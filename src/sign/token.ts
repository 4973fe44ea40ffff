const key = 'sign.setUpToken';

/**
 * The set-up token of `#t=…`, moved out of the address so that it is in no history entry, screenshot or referrer.
 * The tab remembers it, so that a reload in the middle of the form does not make the link worthless.
 */
export function takeToken(): string | null {
  const token = new URLSearchParams(location.hash.slice(1)).get('t');
  try {
    if (token !== null && token !== '') {
      history.replaceState(null, '', location.pathname + location.search);
      sessionStorage.setItem(key, token);
      return token;
    }
    return sessionStorage.getItem(key);
  } catch {
    return token;
  }
}

export function forgetToken(): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // A browser without storage remembered nothing.
  }
}
