import { closedRobots as closed, robotsText } from '../../areas/seo';
import { searchPath } from '../content/globals';
import { pathIn } from '../paths';
import { plainResponse } from '../response';
import type { DeliveryResponse } from '../response';
import type { Edition } from '../edition';
import type { Delivery, EditionStep, Step } from '../step';

/** For five minutes, so that a change takes effect soon. */
const headers = { 'cache-control': 'public, max-age=300' };

/** Nothing may be indexed until something is published. */
export const closedRobots: Step = ({ path }) => (path === '/robots.txt' ? plainResponse(200, closed, headers) : null);

async function robotsFile({ services }: Delivery, edition: Edition): Promise<DeliveryResponse> {
  const { site, release, origin, preview } = edition;
  if (preview || release.settings.robots === 'closed') return plainResponse(200, closed, headers);
  const search = searchPath(edition);
  const searchPaths = search === null ? [] : [...new Set(release.languages.map((language) => pathIn(edition, search, language)))];
  return plainResponse(200, robotsText(await services.robots.of(site.id), { origin, searchPaths, refusedAgents: release.seo.agents.refused }), headers);
}

/** The newest robots.txt of the site with the lines of the program. */
export const robots: EditionStep = (delivery, edition) => (delivery.path === '/robots.txt' ? robotsFile(delivery, edition) : null);
