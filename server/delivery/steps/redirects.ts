import { dayAt } from '../../zone';
import { plainResponse } from '../response';
import { decodedPath } from '../router';
import type { EditionStep } from '../step';

/** A year-long redirect could not be taken back. */
const oneHour = 'public, max-age=3600';

/** Redirects of the release. Those of a preview lead out of it only where they name another host. */
export const redirects: EditionStep = ({ ctx, path, query, services, method }, { site, release, root, preview }) => {
  const decoded = decodedPath(path);
  const found = decoded === null ? null : release.redirects(decoded, query, () => dayAt(ctx.now(), site.timeZone));
  if (!found) return null;
  if (!preview && method === 'GET') services.counters.redirected(site, found.redirect.from);
  if (found.status === 410) return plainResponse(410, '', { 'cache-control': oneHour });
  const location = found.location.startsWith('/') ? `${root}${found.location}` : found.location;
  return plainResponse(found.status, '', { location, 'cache-control': oneHour });
};
