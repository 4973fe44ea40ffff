import { ImportLook, ImportPlan, TableImport } from '@contract/tables/transfers';
import type { Answer } from './fakeServer';
import { pageOf, recordOf, tableOf } from './recordsScreen';
import { renderApp } from './renderApp';

const siteId = 'abcdefghijkl';
export const base = `/api/site/${siteId}/table`;
export const of = `${base}/tables/t_articleaaaaa`;
export const id = '11111111-1111-4111-8111-111111111111';
export const one = `${base}/imports/${id}`;
export const importOf = (change: Partial<TableImport> = {}): TableImport =>
  TableImport.parse({
    id,
    tableId: 't_articleaaaaa',
    createdTable: false,
    file: { name: '文章.csv', size: 100, stored: 100 },
    state: 'ready',
    plan: null,
    jobId: null,
    done: null,
    total: null,
    perSecond: null,
    secondsLeft: null,
    counts: null,
    newChoices: {},
    batchId: null,
    undone: false,
    undoSkipped: null,
    error: null,
    by: '林晓雨',
    own: true,
    createdAt: '2026-11-20T08:00:00.000Z',
    finishedAt: null,
    ...change,
  });
const column = (at: number, name: string, field: string | null, samples: string[] = []) => ({
  column: at,
  name,
  samples,
  type: 'text',
  field,
  locale: null,
});
export const look = ImportLook.parse({
  read: { format: 'csv', encoding: 'gb18030', delimiter: ',', sheet: '', header: 1 },
  sheets: [],
  columns: [
    column(0, '标题', 'f_titleaaaaaaa', ['春茶上市', '泡茶入门']),
    column(1, '定价', 'f_priceaaaaaaa', ['12.50']),
    column(2, '类别', 'f_statusaaaaaa', ['新闻', '活动']),
    column(3, '备注', null),
  ],
  rows: [
    ['春茶上市', '12.50', '新闻', ''],
    ['泡茶入门', '一百', '活动', ''],
  ],
  notes: ['第 9 行的列数比列名多'],
});
export const plan = ImportPlan.parse({
  columns: [
    { column: 0, to: { field: 'f_titleaaaaaaa' } },
    { column: 1, to: { field: 'f_priceaaaaaaa' } },
    { column: 2, to: { field: 'f_statusaaaaaa' } },
  ],
  addChoices: true,
});
export const counts = { rows: 300, insert: 297, update: 2, skip: 0, fail: 1 };

/** The records page with an import of a table, whose state on the server is `now`. */
export const openTransfer = (search: string, now: () => TableImport, answers: Readonly<Record<string, Answer>> = {}) =>
  renderApp(`/site/${siteId}/table/records${search}`, {
    messages: ['tableTransfer', 'tableDesign'],
    answers: {
      [`GET ${base}/tables`]: { data: [tableOf()] },
      [`GET ${of}/views`]: { data: [] },
      [`GET ${of}/records`]: { data: pageOf([recordOf(1), recordOf(2)]) },
      [`POST ${of}/presence`]: { data: null },
      [`GET ${base}/imports`]: () => ({ data: [now()] }),
      [`GET ${one}`]: () => ({ data: now() }),
      [`POST ${one}/look`]: { data: look },
      ...answers,
    },
  });
