import { openFormLimits } from '../../../../contract/tables/formTerms';
import type { FormFileType } from '../../../../contract/tables/formTerms';
import { publicForm } from '../../../../contract/tables/publicForm';
import type { PublicForm } from '../../../../contract/tables/publicForm';
import type { ResourceKind } from '../../../../contract/resources/terms';
import { matchFilter, matched } from '../../../../contract/tables/matchFilter';
import type { Matched, MatchMoment } from '../../../../contract/tables/matchFilter';
import type { RecordFilter } from '../../../../contract/tables/recordFilter';
import type { LinkStop } from '../../../../contract/links';
import { optionsOf } from '../../../../contract/tables/schemas';
import { resourceKindsOf } from '../../../../contract/tables/fieldTypes';
import type { FormFiles, FormOptions, FormStatus, OpenField, OpenForm } from '../../../../contract/tables/forms';
import { makerOf } from '../../sites/makers';
import { grantOf } from '../core/access';
import type { Reader } from '../core/access';
import { newRecordId } from '../core/ids';
import type { FieldModel, TableModel } from '../core/model';
import type { contentViews } from '../core/schema';
import { defaultOf, unchanged, valueOf } from '../core/values/check';
import { ValueError } from '../core/values/valueErrors';
import type { PublicLinkRecord } from './queries';

type View = Pick<typeof contentViews.$inferSelect, 'kind' | 'query'>;

/** Public form of a form view, from the current view and table. `options`: those of the link. */
export const formOf = (table: TableModel, { query }: View, options: PublicLinkRecord['form']): PublicForm<FieldModel> =>
  publicForm(table, query.columns?.map(({ field }) => field) ?? null, takesFiles(options));
/** Links that were created before forms took files have no such option. */
const takesFiles = (options: PublicLinkRecord['form']): boolean => (options?.files ?? null) !== null;

/** Whether no answer could become a record: in a table with drafts, required values may be missing until publishing. */
const isUnfit = (table: TableModel, { missing, laid }: PublicForm<FieldModel>, publishes: boolean): boolean =>
  table.kind === 'singleton' || laid.fields.length === 0 || (missing.length > 0 && (!table.drafts || publishes));

/** Current state of a form link. `may`: whether its creator still has the permission. */
export function statusOf(publicLink: Pick<PublicLinkRecord, 'form' | 'answers'>, view: View, table: TableModel, may: boolean): FormStatus {
  if (!may) return 'stopped';
  if (view.kind !== 'form' || isUnfit(table, formOf(table, view, publicLink.form), publicLink.form?.publish ?? false)) return 'unfit';
  return publicLink.form?.limit != null && publicLink.answers >= publicLink.form.limit ? 'full' : 'open';
}

/** Why a link is stopped: its creator may no longer design tables, or read records of this one (for a form: create them). Null: it is not. */
export async function stopOf(
  db: Parameters<typeof makerOf>[0],
  { siteId, createdBy, form }: Pick<PublicLinkRecord, 'siteId' | 'createdBy' | 'form'>,
  table: TableModel,
): Promise<LinkStop | null> {
  const { role, stopped } = await makerOf(db, siteId, createdBy, 'tables.design');
  if (stopped !== null) return stopped;
  return grantOf(table, { role, userId: createdBy }, form === null ? 'read' : 'create').allowed ? null : 'role';
}

/** Reader for a form submission: may fill in its fields on new records, and reads no records. */
export function readerOfForm(table: TableModel, { laid }: PublicForm<FieldModel>): Reader {
  const fields = new Set(laid.fields.map(({ id }) => id));
  return { role: 'public', userId: null, only: new Map([[table.id, { fields, filter: { or: [] } }]]), fills: { table: table.id, fields } };
}

type Now = { readonly now: Date; readonly timeZone: string };

/** A default as it would be stored; null for none, or if it no longer fits its field. */
function startOf(field: FieldModel, { now, timeZone }: Now): unknown {
  try {
    const raw = defaultOf(field, { now, timeZone, userId: null, newId: () => newRecordId(now.getTime()) });
    const value = raw === unchanged ? null : valueOf(field, raw);
    return value === unchanged ? null : value;
  } catch (error) {
    if (error instanceof ValueError) return null;
    throw error;
  }
}

/** Neither true nor false in any context: no field has this name. */
const unknown: RecordFilter = { field: '', op: 'empty' };
/** A filter reduced to fields of the form: conditions on other fields are evaluated with the values of a new record. */
function decided(filter: RecordFilter, table: TableModel, visibleIds: ReadonlySet<string>, fresh: Matched, at: MatchMoment): RecordFilter {
  const inner = (one: RecordFilter): RecordFilter => decided(one, table, visibleIds, fresh, at);
  if ('and' in filter) return { and: filter.and.map(inner) };
  if ('or' in filter) return { or: filter.or.map(inner) };
  if ('not' in filter) return { not: inner(filter.not) };
  const field = table.byName.get(filter.field);
  if (field && visibleIds.has(field.id)) return { ...filter, field: field.id };
  if (matchFilter(filter, fresh, at)) return { and: [] };
  return matchFilter({ not: filter }, fresh, at) ? { or: [] } : unknown;
}

const publicOptions = ['minLength', 'maxLength', 'placeholder', 'min', 'max', 'decimals', 'currency', 'unit', 'choices', 'most'] as const;
function optionsFor({ type, options }: FieldModel): OpenField['options'] {
  const own: readonly string[] = optionsOf[type];
  return Object.fromEntries(publicOptions.flatMap((name) => (own.includes(name) && options[name] !== undefined ? [[name, options[name]] as const] : [])));
}

const kindsOfType: Readonly<Record<FormFileType, readonly ResourceKind[]>> = {
  image: ['image'],
  video: ['video'],
  audio: ['attachment'],
  pdf: ['attachment'],
  other: ['svg', 'attachment'],
};
/** Which files a field of a form takes; null if it takes none. */
export function filesFor({ type, options: { most = openFormLimits.files } }: FieldModel, options: FormOptions): FormFiles | null {
  const { files } = options;
  const kinds = resourceKindsOf(type);
  if (!takesFiles(options) || files === null || kinds === null) return null;
  const types = files.types.filter((one) => kindsOfType[one].some((kind) => kinds.includes(kind)));
  return { ...files, types, most: Math.min(files.most, most) };
}

/** The form as a visitor gets it, with nothing about other fields. */
export function describedForm(table: TableModel, { laid }: PublicForm<FieldModel>, options: FormOptions, now: Now): Pick<OpenForm, 'style' | 'sections'> {
  const visibleIds = new Set(laid.fields.map(({ id }) => id));
  const fresh = matched(table.fields, Object.fromEntries(table.fields.map((field) => [field.id, startOf(field, now)])));
  const at = { now: now.now.getTime(), zone: now.timeZone, userId: null };
  const fieldOf = (field: FieldModel): OpenField => ({
    id: field.id,
    names: [field.key, ...field.aliases.toReversed(), field.id],
    type: field.type,
    yields: field.yields,
    title: field.title,
    help: field.help,
    required: field.required,
    // Resources that a default uses are none of the visitor's business.
    start: field.default?.kind === 'value' && resourceKindsOf(field.type) === null ? startOf(field, now) : null,
    fills: field.default?.kind === 'now' || field.default?.kind === 'uuid',
    options: optionsFor(field),
    files: filesFor(field, options) ?? undefined,
    conditions: field.conditions.map(({ filter, then }) => ({ filter: decided(filter, table, visibleIds, fresh, at), then })),
  });
  return {
    style: laid.style,
    sections: laid.sections.map(({ title, note, collapsed, fields }) => ({
      title,
      note,
      collapsed,
      fields: fields.map(({ field, width }) => ({ field: fieldOf(field), width })),
    })),
  };
}
