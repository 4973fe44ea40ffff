import { LanguagesPart } from './part';
import { tagsOf } from './tags';

const problems = (value: unknown): string[] => (LanguagesPart.safeParse(value).error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`);
const language = (tag: string, more: object = {}) => ({ tag, path: tag.toLowerCase(), ...more });

test('a list of tags is read as prefixes, in the stored form', () => {
  const { languages, strategy } = LanguagesPart.parse({ languages: ['zh-CN', 'en', 'zh-Hans'] });
  expect([strategy, languages.map(({ tag, path, state, missing }) => [tag, path, state, missing])]).toEqual([
    'prefix_except_default',
    [
      ['zh-Hans', 'zh-Hans', 'published', 'show'],
      ['en', 'en', 'published', 'show'],
    ],
  ]);
});

test('what is written in format 2 is read unchanged', () => {
  const part = LanguagesPart.parse({ languages: [language('zh-Hans'), language('en', { missing: 'hide', fallback: ['zh-Hans'] })], strategy: 'prefix_all' });
  expect(LanguagesPart.parse(part)).toEqual(part);
  expect(tagsOf(part)).toEqual(['zh-Hans', 'en']);
});

test.each([
  [{ languages: [language('en', { state: 'hidden' })] }, 'languages.0.state in_use'],
  [{ languages: [language('zh-Hans'), language('zh-CN')] }, 'languages.1.tag duplicate'],
  [{ languages: [language('en'), { tag: 'fr', path: 'EN'.toLowerCase() }] }, 'languages.1.path duplicate'],
  [{ languages: [language('en', { fallback: ['fr'] })] }, 'languages.0.fallback unknown'],
  [{ languages: [language('en', { fallback: ['fr'] }), language('fr', { fallback: ['en'] })] }, 'languages.0.fallback loop'],
])('%j is refused', (value, problem) => {
  expect(problems(value)).toContain(problem);
});
