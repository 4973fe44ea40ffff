import type { ContentRecord } from '@contract/tables/records';
import { RecordPage } from '@contract/tables/records';
import type { Answer } from './fakeServer';
import { fieldOf, pageOf, recordId, recordOf, tableOf } from './recordsScreen';
import { renderApp } from './renderApp';

const siteId = 'abcdefghijkl';
export const base = `/api/site/${siteId}/table`;
export const of = `${base}/tables/t_articleaaaaa`;
export const calls = { records: `GET ${of}/records`, change: `PATCH ${of}/records`, views: `GET ${of}/views`, add: `POST ${of}/records` };
/** The response to a write of one record. */
export const written = (change: object = {}) => ({ batchId: recordId(500), created: 0, updated: 1, unchanged: 0, records: [], ...change });
export const people = {
  id: 't_authoraaaaaa',
  key: 'authors',
  title: '作者',
  aliases: [],
  primaryField: 'f_nameaaaaaaaa',
  fields: [fieldOf({ id: 'f_nameaaaaaaaa', type: 'text', title: '姓名' })],
};

/** A minimal server of records: it filters nothing, but records its requests. */
export const recordsOf =
  (list: () => readonly ContentRecord[]): Answer =>
  (request) => {
    const query = new URL(request.url).searchParams;
    const ids = query.get('ids')?.split(',');
    const from = Number(query.get('cursor') ?? query.get('offset') ?? 0);
    const rows = ids ? list().filter(({ id }) => ids.includes(id)) : list().slice(from, from + Number(query.get('limit') ?? 50));
    return { data: RecordPage.parse(pageOf(rows, { total: query.get('count') === 'none' ? null : list().length })) };
  };

export type RecordsApp = Awaited<ReturnType<typeof renderApp>>;
/** The records page in the browser, over a fake server with the records of `rows`. */
export const openRecords = (
  rows: () => readonly ContentRecord[],
  search = '',
  answers: Record<string, Answer> = {},
  locale?: 'en' | 'zh-CN',
): Promise<RecordsApp> =>
  renderApp(`/site/${siteId}/table/records${search}`, {
    ...(locale === undefined ? {} : { locale }),
    messages: ['form', 'tableRecord'],
    answers: {
      [`GET ${base}/tables`]: { data: [tableOf(), tableOf(people)] },
      [calls.views]: { data: [] },
      [calls.records]: recordsOf(rows),
      [`GET ${base}/tables/t_authoraaaaaa/records`]: { data: pageOf([]) },
      [`GET ${base}/tables/t_authoraaaaaa/views`]: { data: [] },
      [`GET ${of}/aggregate`]: { data: { count: 0, values: {}, groups: [], more: false, labels: { records: {}, people: {} } } },
      [`GET ${base}/batches`]: { data: [] },
      [`POST ${of}/presence`]: { data: null },
      ...answers,
    },
  });

export const threeRecords = (): ContentRecord[] => [
  recordOf(1, { f_titleaaaaaaa: '春茶上市', f_statusaaaaaa: 'news' }),
  recordOf(2, { f_titleaaaaaaa: '泡茶入门', f_statusaaaaaa: 'guide' }),
  recordOf(3),
];
