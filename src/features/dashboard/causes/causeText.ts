import type { Cause } from '@contract/dashboard/causes';

/** An address as people read it: without the scheme, decoded where that is unambiguous. */
export function readable(address: string): string {
  let decoded = address;
  try {
    decoded = decodeURI(address);
  } catch {
    // Not valid UTF-8: as it is.
  }
  return decoded.replace(/^https?:\/\//, '');
}

/** Whether everything that a crawl found at a page was fixed, and no redirect leads away from it. */
export const isFixed = ({ issues, redirect }: Cause): boolean =>
  redirect === null && issues.some(({ state }) => state === 'fixed') && issues.every(({ state }) => state === 'fixed');
