import { plainResponse } from '../response';
import type { Step } from '../step';

/** Requested automatically by browsers and programs, which need no page. */
export const machines: Step = ({ path }) => (path === '/favicon.ico' || path.startsWith('/.well-known/') ? plainResponse(404, '') : null);
