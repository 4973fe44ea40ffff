import { linkOf, simpleValue } from './values';

test.each([
  ['https://example.com/a', 'https://example.com/a'],
  ['/about', '/about'],
  ['lin@example.com', 'mailto:lin@example.com'],
  ['+86 10 1234-5678', 'tel:+861012345678'],
  ['javascript:alert(1)', null],
  ['//evil.example', null],
  ['/\\evil.example', null],
  ['data:text/html,x', null],
])('the link %s becomes %s', (text, link) => {
  expect(linkOf(text)).toBe(link);
});

test('a value of another type than the theme declares is absent', () => {
  expect([
    simpleValue('number', { kind: 'plain', value: 'many' }),
    simpleValue('image', { kind: 'plain', value: 'a.png' }),
    simpleValue('date', { kind: 'plain', value: 'soon' }),
  ]).toEqual([null, null, null]);
});

test('files that are known by their address only are images of the web', () => {
  const image = (url: string) => simpleValue('image', { kind: 'files', files: [{ url }] });
  expect([image('https://example.com/a.png'), image('javascript:alert(1)')]).toEqual([[expect.objectContaining({ url: 'https://example.com/a.png' })], []]);
});
