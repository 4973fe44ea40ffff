import type { ContentRecord, RecordPage } from '@contract/tables/records';
import type { RecordView } from '@contract/tables/views';
import type { ContentTable, TableField } from '@contract/tables/schemas';
import { kindOf } from '@contract/tables/terms';
import { plainQuery } from '@/features/tables/records/viewState';

const at = '2026-11-20T08:00:00.000Z';

/** Rows as the server sends them; a test sets only what it is about. */
export const fieldOf = (change: Partial<TableField> & Pick<TableField, 'id' | 'type' | 'title'>): TableField => ({
  key: change.id.slice(2, 10),
  aliases: [],
  help: '',
  required: false,
  unique: false,
  indexed: false,
  localized: false,
  searchable: true,
  hidden: false,
  readonly: false,
  sensitive: false,
  options: {},
  rules: [],
  conditions: [],
  default: null,
  yields: kindOf(change.type),
  problem: null,
  deletedAt: null,
  ...change,
});

export const tableOf = (change: Partial<ContentTable> = {}): ContentTable => ({
  id: 't_articleaaaaa',
  key: 'articles',
  aliases: ['posts'],
  title: '文章',
  icon: 'articles',
  note: '',
  kind: 'collection',
  primaryField: 'f_titleaaaaaaa',
  drafts: true,
  locales: ['zh-Hans'],
  pages: null,
  trashDays: 30,
  layout: null,
  fields: [
    fieldOf({ id: 'f_titleaaaaaaa', key: 'title', aliases: ['headline'], type: 'text', title: '标题', localized: true }),
    fieldOf({
      id: 'f_statusaaaaaa',
      key: 'status',
      type: 'select',
      title: '分类',
      options: {
        choices: [
          { id: 'news', title: '新闻', color: 'blue' },
          { id: 'guide', title: '教程', color: 'teal' },
        ],
      },
    }),
    fieldOf({ id: 'f_priceaaaaaaa', key: 'price', type: 'number', title: '价格' }),
    fieldOf({ id: 'f_dayaaaaaaaaa', key: 'day', type: 'date', title: '日期' }),
    fieldOf({ id: 'f_openaaaaaaaa', key: 'open', type: 'switch', title: '显示' }),
    fieldOf({ id: 'f_authoraaaaaa', key: 'author', type: 'relation', title: '作者', options: { to: 't_authoraaaaaa' } }),
  ],
  revision: 1,
  approxRows: 3,
  createdAt: at,
  deletedAt: null,
  may: ['read', 'create', 'update', 'delete', 'publish'],
  ...change,
});

export const recordId = (n: number): string => `0193a000-0000-7000-8000-${String(n).padStart(12, '0')}`;
export const recordOf = (n: number, values: Record<string, unknown> = {}, change: Partial<ContentRecord> = {}): ContentRecord => ({
  id: recordId(n),
  n,
  revision: 1,
  state: 'draft',
  values: {
    f_titleaaaaaaa: `文章 ${String(n)}`,
    f_statusaaaaaa: null,
    f_priceaaaaaaa: null,
    f_dayaaaaaaaaa: null,
    f_openaaaaaaaa: null,
    f_authoraaaaaa: null,
    ...values,
  },
  locales: [],
  createdAt: at,
  createdBy: null,
  updatedAt: at,
  updatedBy: null,
  publishedAt: null,
  publishAt: null,
  unpublishAt: null,
  deletedAt: null,
  ...change,
});

export const pageOf = (rows: readonly ContentRecord[], change: Partial<RecordPage> = {}): RecordPage => ({
  rows: [...rows],
  labels: { records: {}, people: {} },
  next: null,
  total: rows.length,
  more: false,
  cost: { ms: 1, slow: false },
  ...change,
});

export const viewOf = (change: Partial<RecordView> = {}): RecordView => ({
  id: '0193b000-0000-4000-8000-000000000001',
  tableId: 't_articleaaaaa',
  title: '看板',
  kind: 'kanban',
  scope: 'shared',
  own: true,
  position: 0,
  query: plainQuery,
  revision: 1,
  ...change,
});
