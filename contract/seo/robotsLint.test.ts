import { robotsProblemsOf } from './robotsLint';

test.each([
  ['User-agent: *\nDisallow: /private\n\nSitemap: https://a.example/sitemap.xml', ''],
  ['User-agent: *\nDisallow:', ''],
  ['', ''],
  ['User-agent: *\nCrawl-delay: 5\nDisallow: /a', ''],
  ['User-agent: *\nDisallow: /', 'blocks_all 2'],
  ['User-agent: *\nDisallow: *', 'blocks_all 2'],
  ['User-agent: *\nDisallow: /\nAllow: /$', 'blocks_assets 2'],
  ['User-agent: BadBot\nDisallow: /', ''],
  ['User-agent: *\nNoindex: /a\nDisallow: /a', 'unknown_key 2'],
  ['Disallow: /a', 'rule_without_group 1'],
  ['User-agent: *\nDisallow: a', 'path_without_slash 2'],
  ['User-agent: *\nDisallow: /a\nSitemap: /sitemap.xml', 'relative_sitemap 3'],
  ['User-agent: *\nDisallow /a # a: b', 'missing_colon 2'],
  ['User-agent: *\nDisallow: /a\nUser-agent: b', 'group_without_rules 3'],
  ['User-agent: *\nDisallow: /_t/', 'blocks_assets 2'],
  [`User-agent: *\nDisallow: /a\n${'#'.repeat(600_000)}`, 'too_large null'],
] as const)('%j has the problem %j', (file, problem) => {
  expect(
    robotsProblemsOf(file)
      .map(({ code, line }) => `${code} ${String(line)}`)
      .join(', '),
  ).toBe(problem);
});
