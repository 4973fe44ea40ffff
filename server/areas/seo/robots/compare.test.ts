import { compareRobots } from './compare';

const known = [
  { path: '/', title: 'Home', visits: 90 },
  { path: '/茶/green', title: 'Green tea', visits: 12 },
  { path: '/private', title: '', visits: 0 },
];

test('pages that would vanish are named, the most visited first', async () => {
  const { examples, ...counts } = await compareRobots('', 'User-agent: *\nDisallow: /%E8%8C%B6/\nDisallow: /private', known);
  expect(counts).toEqual({ known: 3, open: 1, blocked: 2, blockedWithVisits: 1, opened: 0 });
  expect(examples).toEqual([
    { path: '/茶/green', title: 'Green tea', visits: 12, change: 'blocked', agent: '*', line: 2 },
    { path: '/private', title: '', visits: 0, change: 'blocked', agent: '*', line: 3 },
  ]);
});

test('a search engine that loses a page is noticed although others keep it', async () => {
  const { examples, open } = await compareRobots('', 'User-agent: Baiduspider\nDisallow: /private', known);
  expect([examples.map(({ path, agent }) => [path, agent]), open]).toEqual([[['/private', 'Baiduspider']], 3]);
});

test('pages that open again are named as well', async () => {
  const { opened, examples } = await compareRobots('User-agent: *\nDisallow: /', 'User-agent: *\nDisallow: /private', known);
  expect([opened, examples.map(({ path, change }) => `${change} ${path}`)]).toEqual([2, ['opened /', 'opened /茶/green']]);
});
