import type { DimensionId } from '@contract/analytics/schemas';

/**
 * The address of a referring site, page or address, to open; null for anything that is not plainly http(s). What somebody else's browser sent is
 * never trusted to be an address: `javascript:` and the like are text here, and so are names with a password in them.
 */
export const outsideAddress = (by: DimensionId, key: string): string | null => {
  if (by !== 'referrerHost' && by !== 'referrerPath' && by !== 'referrerUrl') return null;
  const text = by === 'referrerUrl' ? key : `https://${key}`;
  if (!/^https?:\/\//i.test(text)) return null;
  try {
    const url = new URL(text);
    const known = url.hostname.includes('.') && url.username === '' && url.password === '';
    return known && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null;
  } catch {
    return null;
  }
};
