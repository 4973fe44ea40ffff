import { flatTree } from '@/routes/paths';
import { rank } from './entries';
import { searchTerms } from './searchTerms';

test('search terms belong to screens', () => {
  const ids = flatTree.filter(({ node }) => node.load && node.title !== undefined).map(({ node }) => node.id);
  expect(Object.keys(searchTerms).filter((id) => !ids.includes(id))).toEqual([]);
});

test.each(['redirect', '重定向'])('%s finds the screen that has the setting', (query) => {
  const entry = { id: 'site.seo', kind: 'page', label: 'SEO', icon: 'search', run: () => undefined } as const;
  expect(rank([entry, { ...entry, id: 'home' }], query, []).flatMap(({ entries }) => entries.map(({ id }) => id))).toEqual(['site.seo']);
});
