/**
 * Returns the address to go to after sign-in: an address of our own origin, or `fallback`. Accepts a path (`/home?x#y`) or an absolute URL of `origin`. Server
 * and browser share this function, because two different guards have been a vulnerability elsewhere. Rule: parse → rebuild → parse again → same origin, never
 * under /sign or /api.
 */
export function safeRedirect(value: unknown, origin: string, fallback = '/home'): string {
  if (typeof value !== 'string' || value.length === 0 || value.length > 2048) return fallback;
  // Parsers differ in how they read control characters and backslashes.
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f\\]/.test(value)) return fallback;
  const parse = (text: string): URL | null => {
    try {
      const url = new URL(text, origin);
      return url.origin === origin && url.username === '' && url.password === '' ? url : null;
    } catch {
      return null;
    }
  };
  const absolute = value.startsWith(`${origin}/`);
  if (!absolute && (!value.startsWith('/') || value.startsWith('//'))) return fallback;
  const first = parse(value);
  if (!first) return fallback;
  // The rebuilt path has its dot segments resolved, which may produce a leading `//` (coder#27363).
  const rebuilt = first.pathname + first.search + first.hash;
  if (rebuilt.startsWith('//')) return fallback;
  const second = parse(rebuilt);
  if (!second) return fallback;
  let decoded = second.pathname;
  try {
    decoded = decodeURIComponent(decoded);
  } catch {
    return fallback;
  }
  if (/[\\\u0000-\u001f]/.test(decoded) || decoded.startsWith('//')) return fallback;
  // A proxy may decode the escapes and parse again: `/..%2f/evil` is a plain path here and `//evil` there.
  const again = parse(decoded)?.pathname ?? '//';
  if (again.startsWith('//') || [decoded, again].some((path) => /^\/(sign|api)(\/|$)/i.test(path))) return fallback;
  return rebuilt;
}
