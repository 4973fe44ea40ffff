import { fillTemplate } from './titleTemplate';

const values = { title: 'Tea', site: 'Leaf', sep: '·', tagline: null, page: '' };

test.each([
  ['{title} {sep} {site}', 'Tea · Leaf'],
  ['{title}{sep}{site}', 'Tea · Leaf'],
  ['{title} {sep} {tagline} {sep} {site}', 'Tea · Leaf'],
  ['{tagline} {sep} {site}', 'Leaf'],
  ['{title} {sep} {tagline}', 'Tea'],
  ['{title} {sep} Page {page} {sep} {site}', 'Tea · Leaf'],
  ['{tagline}', ''],
  ['Buy {title} at {site}', 'Buy Tea at Leaf'],
  ['{title}|{site}', 'Tea|Leaf'],
  ['{title} | {site}', 'Tea | Leaf'],
  ['{tagline} | {site}', 'Leaf'],
  ['{title} - {tagline} - {site}', 'Tea - Leaf'],
  ['{title} – Page {page} {sep} {site}', 'Tea · Leaf'],
  ['{sep}', ''],
  ['', ''],
])('%j becomes %j', (template, text) => {
  expect(fillTemplate(template, values)).toBe(text);
});

test('values are not read as templates', () => {
  expect(fillTemplate('{title} {sep} {site}', { title: '{site} {sep}', site: '$& Leaf', sep: '|' })).toBe('{site} {sep} | $& Leaf');
});

test('the page number appears from the second page', () => {
  expect(fillTemplate('{title} {sep} Page {page} {sep} {site}', { ...values, page: '2' })).toBe('Tea · Page 2 · Leaf');
});
