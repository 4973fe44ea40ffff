import { overridesOf, readPasted } from './bulk';

test('cells of a spreadsheet become texts of pages', () => {
  const text = '/a\tTitle\tText\r\nhttps://tea.cn/b\t"Two ""words"""\n/c\t\tOnly a text\n\n/a\tLater';
  expect(readPasted(text, 'https://tea.cn')).toEqual({
    rows: [
      { path: '/a', title: 'Later' },
      { path: '/b', title: 'Two "words"' },
      { path: '/c', description: 'Only a text' },
    ],
    refused: [],
  });
});

test.each([
  ['no address of the site', 'https://other.cn/a\tTitle'],
  ['an address alone', '/a'],
  ['a title that is too long', `/a\t${'x'.repeat(201)}`],
  ['an address with another host', '//evil.cn\tTitle'],
])('a line with %s is refused', (_, line) => {
  expect(readPasted(line, 'https://tea.cn')).toEqual({ rows: [], refused: [1] });
});

test('a change of texts keeps other languages and other settings', () => {
  const stored = [{ path: '/a', title: { zh: '茶', en: 'Tea' }, description: {}, indexing: 'noindex' as const, image: null, canonical: '' }];
  const { after, before } = overridesOf(stored, 'en', [
    { path: '/a', title: '' },
    { path: '/b', description: 'New' },
  ]);
  const empty = { path: '/b', title: {}, description: {}, indexing: null, image: null, canonical: '' };
  expect(after).toEqual([
    { ...stored[0], title: { zh: '茶' } },
    { ...empty, description: { en: 'New' } },
  ]);
  expect(before).toEqual([stored[0], empty]);
});
