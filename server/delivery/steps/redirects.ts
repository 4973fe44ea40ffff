import { plainResponse } from '../response';
import { decodedPath } from '../router';
import type { EditionStep } from '../step';

/** A year-long redirect could not be taken back. */
const oneHour = 'public, max-age=3600';

/** Redirects of the release. Those of a preview lead out of it only where they name another host. */
export const redirects: EditionStep = ({ path, query }, { release, root }) => {
  const decoded = decodedPath(path);
  const found = decoded === null ? null : release.redirects(decoded, query);
  if (!found) return null;
  if (found.status === 410) return plainResponse(410, '', { 'cache-control': oneHour });
  const location = found.location.startsWith('/') ? `${root}${found.location}` : found.location;
  return plainResponse(found.status, '', { location, 'cache-control': oneHour });
};
