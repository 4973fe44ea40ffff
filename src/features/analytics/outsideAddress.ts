import type { DimensionId } from '@contract/analytics/schemas';

/**
 * A safe link to a referring site, page or address; null for anything that is not plain http(s). Referrers come from visitors' browsers and are
 * untrusted: `javascript:` and the like remain text, as do URLs with credentials.
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
