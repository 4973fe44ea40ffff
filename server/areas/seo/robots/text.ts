import { parseRobots, robotsVerdict } from '../../../../contract/seo/robots';

/** What crawlers get while nobody may crawl a site. */
export const closedRobots = 'User-agent: *\nDisallow: /\n';

/** What the program adds to the robots.txt of a site. */
export type ProgramRules = {
  /** Origin of the main address. */
  readonly origin: string;
  /** Paths of the search page, one per language: their results are endless. */
  readonly searchPaths: readonly string[];
  /** Programs of AI services that the settings refuse, by product token. */
  readonly refusedAgents: readonly string[];
};

/**
 * robots.txt as crawlers get it. `own`: what people have written; empty: everything may be crawled. The lines of the program follow it; a second group of all crawlers
 * adds to the first one (RFC 9309, 2.2.1).
 */
export function robotsText(own: string, { origin, searchPaths, refusedAgents }: ProgramRules): string {
  const written = own.trim();
  const agents = refusedAgents.length === 0 ? '' : `${refusedAgents.map((agent) => `User-agent: ${agent}\n`).join('')}Disallow: /\n\n`;
  const parsed = parseRobots(written);
  const refused = searchPaths
    .filter((path) => robotsVerdict(parsed, '*', path).allowed)
    .map((path) => `Disallow: ${path}\n`)
    .join('');
  const group = refused !== '' || written === '' ? `User-agent: *\n${refused === '' ? 'Disallow:\n' : refused}\n` : '';
  const sitemap = `${origin}/sitemap.xml`;
  const named = parsed.sitemaps.includes(sitemap);
  return `${written === '' ? '' : `${written}\n\n`}${agents}${group}${named ? '' : `Sitemap: ${sitemap}\n`}`;
}
