import { LanguagesPart } from '../../../../contract/languages/part';
import { languagesWithout } from './rules';

const hostname = '0192d3a4-0000-7000-8000-000000000001';
const part = LanguagesPart.parse({
  languages: [
    { tag: 'en', path: 'en' },
    { tag: 'ja', path: 'ja', state: 'hidden', hostname, fallback: ['en', 'fr'] },
    { tag: 'fr', path: 'fr' },
  ],
  strategy: 'subdomain',
});

test.each([
  [['fr'], [{ tag: 'en' }, { tag: 'ja', state: 'hidden', hostname, fallback: ['en'] }]],
  [['en'], [{ tag: 'ja', state: 'published', hostname: null, fallback: ['fr'] }, { tag: 'fr' }]],
  [['en', 'ja', 'fr'], [{ tag: 'zh-Hans', path: 'zh-Hans', state: 'published' }]],
])('languages without %j are valid', (gone, expected) => {
  const left = languagesWithout(part, gone, 'zh-Hans');
  expect(left.languages).toMatchObject(expected);
  expect(LanguagesPart.parse(left)).toEqual(left);
});
