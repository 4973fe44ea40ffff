import { setImmediate } from 'node:timers/promises';
import { parseRobots, robotsVerdict } from '../../../../contract/seo/robots';
import type { Robots } from '../../../../contract/seo/robots';
import { searchCrawlers, seoLimits } from '../../../../contract/seo/terms';
import type { RobotsWhatIf } from '../../../../contract/seo/robotsSchemas';
import type { KnownPage } from '../knownPages';

/** Addresses that are compared before other requests get their turn. */
const compareAtOnce = 500;

const hasGroup = ({ groups }: Robots, agent: string): boolean =>
  groups.some(({ agents }) => [...agents].some((one) => one !== '*' && agent.toLowerCase().startsWith(one)));

/** Rules that are matched altogether, so that a file of thousands of rules does not occupy the program: then only the most visited addresses are compared. */
const mostMatches = 20_000_000;
const rulesIn = ({ groups }: Robots): number => groups.reduce((sum, { rules }) => sum + rules.length, 0);

/** Crawlers that the files distinguish: one without a group of its own obeys that of all. */
const crawlersOf = (files: readonly Robots[]): string[] => searchCrawlers.filter((agent) => agent === '*' || files.some((file) => hasGroup(file, agent)));

/** Which known addresses a crawler may request with one robots.txt but not with another. `agent` absent: any of the crawlers of search engines. */
export async function compareRobots(
  before: string,
  after: string,
  known: readonly KnownPage[],
  agent?: string,
): Promise<Omit<RobotsWhatIf, 'problems'> & { readonly open: number }> {
  const [from, to] = [parseRobots(before), parseRobots(after)];
  const agents = agent === undefined ? crawlersOf([from, to]) : [agent];
  const compared = known.slice(0, Math.ceil(mostMatches / (agents.length * (rulesIn(from) + rulesIn(to) + 1))));
  const changed: RobotsWhatIf['examples'] = [];
  let open = 0;
  for (const [at, { path, title, visits }] of compared.entries()) {
    if (at % compareAtOnce === compareAtOnce - 1) await setImmediate();
    const verdicts = agents.map((one) => ({ agent: one, was: robotsVerdict(from, one, path), is: robotsVerdict(to, one, path) }));
    if (verdicts.some(({ is }) => is.allowed)) open += 1;
    // An address that any of them loses is lost, whatever another one gains.
    const change = verdicts.find(({ was, is }) => was.allowed && !is.allowed) ?? verdicts.find(({ was, is }) => !was.allowed && is.allowed);
    if (!change) continue;
    const { was, is } = change;
    changed.push({ path, title, visits, change: is.allowed ? 'opened' : 'blocked', agent: change.agent, line: (is.rule ?? was.rule)?.line ?? null });
  }
  const blocked = changed.filter((one) => one.change === 'blocked');
  return {
    known: compared.length,
    open,
    blocked: blocked.length,
    blockedWithVisits: blocked.filter(({ visits }) => visits > 0).length,
    opened: changed.length - blocked.length,
    examples: changed
      .toSorted((a, b) => Number(a.change === 'opened') - Number(b.change === 'opened') || b.visits - a.visits)
      .slice(0, seoLimits.whatIfExamples),
  };
}
