import { plainResponse } from '../response';
import type { Step } from '../step';

/** Nothing may be indexed until something is published; cached for five minutes, so that publishing takes effect soon. */
export const robots: Step = ({ path }) =>
  path === '/robots.txt' ? plainResponse(200, 'User-agent: *\nDisallow: /\n', { 'cache-control': 'public, max-age=300' }) : null;
