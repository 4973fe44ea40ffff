import { LanguagesPart } from '../../../contract/languages/part';
import { RoutesPart } from '../../../contract/publishing/parts';
import type { PageRequest } from '../../areas/tables';
import type { PageContext } from '../edition';
import { createRouter } from '../router';
import { findTarget } from './target';

const languageRules = LanguagesPart.parse({ languages: ['en'] });
const routes = RoutesPart.parse([
  { kind: 'collection', collection: 'posts', table: 't_posts', fields: {}, listPath: '/blog', recordPath: null, slug: null, perPage: 10 },
]);

/** A list of some records, and what was read of it. `change`: its content has another version from then on. */
function listOf(total: number) {
  const requests: PageRequest[] = [];
  let version = 1;
  const versions = { of: () => version, close: () => undefined };
  const content = {
    records: (request: PageRequest) => {
      requests.push(request);
      const rows = Array.from({ length: Math.max(0, Math.min(request.limit, total - (request.offset ?? 0))) }, (_, at) => ({
        id: String(at),
        locales: ['en'],
      }));
      return Promise.resolve({ rows, total, more: false });
    },
  };
  const theme = { manifest: { templates: { list: { shows: 'list', for: 'posts' } }, collections: {} } };
  const context = {
    site: { id: 's' },
    release: { routes, theme, languages: ['en'], languageRules, chains: new Map() },
    language: 'en',
    preview: false,
    content,
  } as unknown as PageContext;
  return {
    requests,
    change: () => {
      version += 1;
    },
    find: (path: string) => findTarget({ versions }, context, createRouter(routes)(path)),
  };
}

test('a page beyond the last one is found missing without reading that far', async () => {
  const { requests, find } = listOf(25);
  for (const page of [4, 5000, 999_999]) expect(await find(`/blog/page/${page}`)).toBeNull();
  expect(requests.map(({ offset, count }) => [offset, count])).toEqual([[undefined, 'exact']]);
});

test('the last page has the remaining records', async () => {
  const target = await listOf(25).find('/blog/page/3');
  expect(target?.kind === 'list' && [target.page, target.records.rows.length]).toEqual([3, 5]);
});

test('the first page of an empty list exists', async () => {
  expect(await listOf(0).find('/blog')).toMatchObject({ kind: 'list', page: 1 });
});

test('records are counted again when the content has changed', async () => {
  const { requests, change, find } = listOf(25);
  await find('/blog/page/9');
  change();
  await find('/blog/page/9');
  expect(requests).toHaveLength(2);
});
