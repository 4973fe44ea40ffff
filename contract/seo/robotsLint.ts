import { parseRobots, robotsBytes, robotsLines, robotsVerdict } from './robots';
import type { RobotsProblemCode } from './terms';

/** `line`: counts from 1; null: the whole file. */
export type RobotsProblem = { readonly code: RobotsProblemCode; readonly line: number | null };

/** Keys that some crawlers know although RFC 9309 does not. */
const otherKeys: ReadonlySet<string> = new Set(['crawl-delay', 'host', 'clean-param', 'request-rate', 'visit-time']);
/** Beginnings of addresses without which search engines cannot render pages. */
const assets = ['/_t/', '/_r/'];

/** What is wrong with a robots.txt as far as the file alone tells; addresses with visits are compared by the server. */
export function robotsProblemsOf(file: string): RobotsProblem[] {
  const lines = robotsLines(file);
  const robots = parseRobots(file);
  const problems: RobotsProblem[] = [];
  const written = file.split(/\r\n|\r|\n/);
  let inGroup = false;
  for (const { line, key, name, value } of lines) {
    if (key === null && !otherKeys.has(name)) problems.push({ code: 'unknown_key', line });
    if (key !== null && !(written[line - 1] ?? '').split('#', 1)[0]?.includes(':')) problems.push({ code: 'missing_colon', line });
    if (key === 'user-agent') inGroup = true;
    if (key === 'sitemap' && !/^https?:\/\//i.test(value)) problems.push({ code: 'relative_sitemap', line });
    if (key !== 'allow' && key !== 'disallow') continue;
    if (!inGroup) problems.push({ code: 'rule_without_group', line });
    if (value !== '' && !/^[/*$]/.test(value)) problems.push({ code: 'path_without_slash', line });
  }
  const last = lines.findLast(({ key }) => key !== null && key !== 'sitemap');
  if (last?.key === 'user-agent') problems.push({ code: 'group_without_rules', line: last.line });
  const home = robotsVerdict(robots, '*', '/');
  if (!home.allowed && !robotsVerdict(robots, '*', '/any/page').allowed) problems.push({ code: 'blocks_all', line: home.rule?.line ?? null });
  else {
    const refused = assets.map((path) => robotsVerdict(robots, '*', `${path}x`)).find(({ allowed }) => !allowed);
    if (refused) problems.push({ code: 'blocks_assets', line: refused.rule?.line ?? null });
  }
  if (robots.truncated || file.length > robotsBytes) problems.push({ code: 'too_large', line: null });
  return problems;
}
