import type { PublicLink } from '@contract/tables/publicLinks';
import type { Answer } from './fakeServer';
import { pageOf, recordId, recordOf, tableOf, viewOf } from './recordsScreen';
import { renderApp } from './renderApp';

/** API addresses of the tables of the site on screen, and of the one table it has. */
export const tablesPath = '/api/site/abcdefghijkl/table';
export const tablePath = `${tablesPath}/tables/t_articleaaaaa`;

/** The saved view that is shared. */
export const linkedView = viewOf({ title: '已上线' });

/** A public link of `linkedView` as the server sends it. */
export const publicLink = (change: Partial<PublicLink> = {}): PublicLink => ({
  id: recordId(700),
  name: '给客户',
  url: `http://localhost/view/${'A'.repeat(43)}`,
  tableId: 't_articleaaaaa',
  tableTitle: '文章',
  viewId: linkedView.id,
  viewTitle: linkedView.title,
  kind: 'grid',
  hasPassword: false,
  drafts: false,
  download: false,
  form: null,
  expiresAt: null,
  createdAt: '2026-11-20T08:00:00.000Z',
  createdBy: '林小满',
  stopped: null,
  lastUsedAt: null,
  opened: 0,
  revision: 3,
  ...change,
});

/** The console at an address below the site's tables. `links` returns the public links that the server has at the time. */
export const renderTables = (address: string, links: () => readonly PublicLink[], answers: Record<string, Answer> = {}) =>
  renderApp(`/site/abcdefghijkl/table/${address}`, {
    answers: {
      [`GET ${tablesPath}/tables`]: { data: [tableOf()] },
      [`GET ${tablePath}/views`]: { data: [linkedView] },
      [`GET ${tablePath}/records`]: { data: pageOf([recordOf(1)], { total: 1 }) },
      [`GET ${tablesPath}/batches`]: { data: [] },
      [`POST ${tablePath}/presence`]: { data: null },
      [`GET ${tablesPath}/shares`]: () => ({ data: links() }),
      ...answers,
    },
  });
