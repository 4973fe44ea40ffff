import { parseRobots, robotsVerdict } from '../../../../contract/seo/robots';
import { robotsText } from './text';

const rules = { origin: 'https://tea.example', searchPaths: ['/search', '/en/search'], refusedAgents: [] };

test('without lines of its own a site closes only its search pages', () => {
  expect(robotsText('', rules)).toBe('User-agent: *\nDisallow: /search\nDisallow: /en/search\n\nSitemap: https://tea.example/sitemap.xml\n');
  expect(robotsText('', { ...rules, searchPaths: [] })).toBe('User-agent: *\nDisallow:\n\nSitemap: https://tea.example/sitemap.xml\n');
});

test('lines of the program do not change those of the site', () => {
  const robots = parseRobots(robotsText('User-agent: BadBot\nDisallow: /\n\nUser-agent: *\nDisallow: /private', rules));
  expect(robotsVerdict(robots, 'BadBot', '/tea').allowed).toBe(false);
  expect(['/private', '/search', '/tea'].map((path) => robotsVerdict(robots, 'Googlebot', path).allowed)).toEqual([false, false, true]);
});

test('a search page that the site closes itself is not closed twice', () => {
  expect(robotsText('User-agent: *\nDisallow: /search', rules)).toContain('User-agent: *\nDisallow: /en/search\n');
});

test('a sitemap that the site names itself is not named twice', () => {
  expect(parseRobots(robotsText('Sitemap: https://tea.example/sitemap.xml', rules)).sitemaps).toEqual(['https://tea.example/sitemap.xml']);
});

test('refused programs of AI services have a group of their own', () => {
  const robots = parseRobots(robotsText('User-agent: *\nDisallow: /private', { ...rules, refusedAgents: ['GPTBot', 'CCBot'] }));
  expect(['GPTBot', 'CCBot', 'Googlebot'].map((agent) => robotsVerdict(robots, agent, '/tea').allowed)).toEqual([false, false, true]);
});
