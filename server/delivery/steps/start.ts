import { startPage } from '../pages';
import { pageResponse } from '../response';
import type { Step } from '../step';

export const start: Step = ({ path, site, filings }) => (path === '/' ? pageResponse(200, startPage(site, filings)) : null);
