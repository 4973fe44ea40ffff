import { pathIn } from '../paths';
import { searchPath } from '../content/globals';
import { plainResponse } from '../response';
import type { EditionStep, Step } from '../step';

/** For five minutes, so that a change takes effect soon. */
const headers = { 'cache-control': 'public, max-age=300' };
const closed = 'User-agent: *\nDisallow: /\n';

/** Nothing may be indexed until something is published. */
export const closedRobots: Step = ({ path }) => (path === '/robots.txt' ? plainResponse(200, closed, headers) : null);

export const robots: EditionStep = ({ path }, edition) => {
  if (path !== '/robots.txt') return null;
  const { release, origin, preview } = edition;
  if (preview || release.settings.robots === 'closed') return plainResponse(200, closed, headers);
  const search = searchPath(edition);
  const paths = search === null ? [] : release.languages.map((language) => pathIn(edition, search, language));
  const refused = [...new Set(paths)].map((one) => `Disallow: ${one}\n`);
  const rules = refused.length === 0 ? 'Disallow:\n' : refused.join('');
  return plainResponse(200, `User-agent: *\n${rules}\nSitemap: ${origin}/sitemap.xml\n`, headers);
};
