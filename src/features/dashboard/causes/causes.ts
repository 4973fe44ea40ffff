import type { Cause } from '@contract/dashboard/causes';
import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';

/** Whether everything that a crawl found at a page was fixed, and no redirect leads away from it. */
export const isFixed = ({ issues, redirect }: Cause): boolean =>
  redirect === null && issues.some(({ state }) => state === 'fixed') && issues.every(({ state }) => state === 'fixed');

/** Whether somebody may change redirects and publish them. */
export const mayFix = ({ role }: Pick<Site, 'role'>): boolean => mayOnSite(role, 'site.compose') && mayOnSite(role, 'site.publish');
