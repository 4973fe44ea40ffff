import { closedPage } from '../pages';
import { pageResponse } from '../response';
import type { Step } from '../step';

/** Sites that are not open to visitors. */
export const state: Step = ({ site }) => {
  if (site.state === 'active') return null;
  const gone = site.state === 'deleted';
  return pageResponse(gone ? 410 : 404, closedPage(site, gone), 'no-store');
};
