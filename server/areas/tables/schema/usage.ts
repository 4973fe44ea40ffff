import type { z } from 'zod';
import type { Usage } from '../../../../contract/tables/schemas';
import type { RecordAction, RuleRole } from '../../../../contract/tables/terms';
import type { Locale } from '../../../http/access';
import type { Db } from '../core/ddl';
import type { Reader } from '../core/access';
import type { FieldModel, SiteModel, TableModel } from '../core/model';
import * as queries from './queries';

type Used = z.output<typeof Usage>;

/** Names of access rules, as on their screen. */
const ruleNames: Record<Locale, Record<RuleRole | RecordAction, string>> = {
  'zh-CN': {
    editor: '编辑',
    analyst: '分析',
    support: '客服',
    viewer: '只读',
    public: '公众',
    read: '查看',
    create: '新建',
    update: '修改',
    delete: '删除',
    publish: '发布',
  },
  en: {
    editor: 'Editor',
    analyst: 'Analyst',
    support: 'Support',
    viewer: 'Viewer',
    public: 'Public',
    read: 'Read',
    create: 'Create',
    update: 'Update',
    delete: 'Delete',
    publish: 'Publish',
  },
};

/** Every text in a value, recursively. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const part of value) yield* textsIn(part);
  else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) yield* textsIn(part);
}

/**
 * What uses a field of `table`: views (not other people's personal ones), computed fields, inverses, slugs, rules and conditions, access rules,
 * webhooks, pages.
 */
export async function usageOf(db: Db, model: SiteModel, table: TableModel, field: FieldModel, reader: Reader, locale: Locale): Promise<Used[]> {
  const used: Used[] = [];
  const names = new Set([field.id, field.key, ...field.aliases]);
  for (const view of await queries.viewsOf(db, table.id, reader.userId))
    if ([...textsIn(view.query)].some((text) => names.has(text.replace(/^-/, '').split(':')[0] ?? '')))
      used.push({ kind: 'view', id: view.id, name: view.title, tableId: table.id });
  for (const { table: home, field: other } of model.fieldById.values()) {
    if (other.id === field.id) continue;
    const at = (kind: Used['kind']): void => void used.push({ kind, id: other.id, name: other.title, tableId: home.id });
    const { options } = other;
    if (other.type === 'inverse' && options.of === field.id) at('relation');
    if ((other.type === 'lookup' || other.type === 'rollup') && (options.relation === field.id || options.target === field.id)) at('lookup');
    if (other.type === 'slug' && options.from === field.id) at('slug');
    if ([options.formula, options.label, options.url].some((text) => text?.includes(field.id))) at('formula');
    if ([...textsIn([other.rules, other.conditions])].includes(field.id)) at('rule');
  }
  for (const rule of table.rules)
    if (rule.fields?.includes(field.id) || [...textsIn(rule.filter)].some((text) => names.has(text)))
      used.push({
        kind: 'right',
        id: `${rule.role}.${rule.action}`,
        name: `${ruleNames[locale][rule.role]} · ${ruleNames[locale][rule.action]}`,
        tableId: table.id,
      });
  for (const webhook of await queries.filteredWebhooks(db, model.siteId, table.id))
    if ([...textsIn(webhook.filter)].includes(field.id)) used.push({ kind: 'webhook', id: webhook.id, name: webhook.name, tableId: table.id });
  const { pages } = table;
  const placed = pages && [...pages.pattern.matchAll(/\{(\w+)\}/g)].some(([, name = '']) => names.has(name));
  if (placed || pages?.titleField === field.id) used.push({ kind: 'pages', id: table.id, name: table.title, tableId: table.id });
  return used;
}
