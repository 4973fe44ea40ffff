import { createSuggester } from './suggest';

const suggest = createSuggester(
  new Map([
    ['/', 'Home'],
    ['/blog/green-tea', 'Green tea'],
    ['/blog/black-tea', 'Black tea'],
    ['/blog/春茶上市', '春茶上市'],
    ['/about', 'About'],
    ['/contact', 'Contact'],
  ]),
);

test.each([
  ['/blog/green-tee', '/blog/green-tea'],
  ['/news/2019/04/green_tea.html', '/blog/green-tea'],
  ['/About/index.php', '/about'],
  ['/blog/%E6%98%A5%E8%8C%B6', '/blog/春茶上市'],
  ['/contacts', '/contact'],
])('%s is most similar to %s', (path, target) => {
  expect(suggest(path, 1)[0]?.path).toBe(target);
});

test('a path without anything in common has no suggestion', () => {
  expect(suggest('/wp-login.php', 3)).toEqual([]);
});

test('suggestions are sorted and limited', () => {
  const found = suggest('/blog/tea', 2);
  expect(found).toHaveLength(2);
  expect(found[0]?.score).toBeGreaterThanOrEqual(found[1]?.score ?? 1);
});

test('a page is found among ten thousand', () => {
  const many = createSuggester(new Map(Array.from({ length: 10_000 }, (_, at) => [`/shop/item-${String(at)}-${String(at * 7919)}`, ''])));
  const found = Array.from({ length: 100 }, (_, at) => many(`/store/item-${String(at)}-${String(at * 7919)}.html`, 1)[0]?.path);
  expect(found.filter((path, at) => path === `/shop/item-${String(at)}-${String(at * 7919)}`).length).toBeGreaterThan(95);
});
