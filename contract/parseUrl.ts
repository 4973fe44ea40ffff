/**
 * An address as the URL Standard reads it; null if it is invalid. Used instead of `URL.canParse`, which rejects hosts with letters of Latin-1 such as `é.com` once Node 20 has
 * optimised it.
 */
export function parseUrl(text: string, base?: string | URL): URL | null {
  // An address by itself has a scheme. The collector and the delivery meet many without, and an exception takes long.
  if (base === undefined && !text.includes(':')) return null;
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
