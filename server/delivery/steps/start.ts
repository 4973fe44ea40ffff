import { startPage } from '../pages';
import { pageResponse } from '../response';
import type { Step } from '../step';

export const start: Step = async ({ path, services, site, filings }) =>
  path === '/' ? pageResponse(200, startPage(site, filings, (await services.proofs.of(site.id)).head)) : null;
