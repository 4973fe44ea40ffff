import { manifest } from '../../../../../test/support/themeScreen';
import { typedPath } from '../preview/previewAddresses';
import { contrastOf, groupsOf, problemOf, valueOf } from './settingModel';

const [accent, , link, columns] = manifest().settings;

test('settings of one group stand together, in the order of the manifest', () => {
  expect(groupsOf(manifest(), 'en').map(({ title, settings }) => [title, settings.map(({ key }) => key)])).toEqual([
    ['Look', ['accent', 'columns', 'show_team']],
    ['Hero', ['headline', 'link']],
  ]);
});

test('a stored value of another type gives way to the default', () => {
  if (!accent || !columns) throw new Error('The manifest has no such settings');
  expect([valueOf(accent, 3), valueOf(accent, '#ff0000'), valueOf(columns, '3'), valueOf(columns, 5), valueOf(columns, undefined)]).toEqual([
    '#1746d1',
    '#ff0000',
    3,
    5,
    3,
  ]);
});

test.each([
  ['', null],
  ['/about', null],
  ['https://example.com/a?b=1', null],
  ['mailto:a@example.com', null],
  ['tel:+86123', null],
  ['//evil.example', 'link'],
  ['javascript:alert(1)', 'link'],
  ['about us', 'link'],
] as const)('the link %j is checked', (typed, problem) => {
  if (!link) throw new Error('The manifest has no such setting');
  expect(problemOf(link, typed)).toBe(problem);
});

test('numbers stay within their limits', () => {
  if (!columns) throw new Error('The manifest has no such setting');
  expect([1, 6, 2.5, 0, 7, Number.NaN].map((value) => problemOf(columns, value))).toEqual([null, null, null, 'number', 'number', 'number']);
});

test('contrast follows WCAG', () => {
  expect([contrastOf('#000000', '#ffffff'), contrastOf('#ffffff', '#ffffff')]).toEqual([21, 1]);
  expect(contrastOf('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
});

test.each([
  ['about', '/about'],
  [' /about ', '/about'],
  ['https://tea.example/news?page=2', '/news?page=2'],
  ['https://tea.example', '/'],
  ['//evil.example', '/evil.example'],
  ['', '/'],
])('the typed address %j is a path of the site', (typed, path) => {
  expect(typedPath(typed)).toBe(path);
});
