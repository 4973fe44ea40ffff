import { layoutOf, placedIn } from './formLayout';
import type { LaidForm } from './formLayout';
import { matchFilter, matched } from './matchFilter';
import type { MatchMoment } from './matchFilter';
import type { RecordFilter } from './recordFilter';
import type { FieldDefault, FormLayout } from './schemas';
import { isComputed } from './terms';
import type { FieldType, ValueKind } from './terms';

/** Words and rules of forms that the public fills in, for the server, the console and the form's own page alike. Without zod: a visitor's page knows it. */

/** Types that somebody who is not known can fill in. Links to records and people would tell who and what there is; files would need a place that strangers fill. */
export const openFieldTypes: ReadonlySet<FieldType> = new Set<FieldType>([
  ...(['text', 'longText', 'markdown', 'email', 'url', 'phone', 'color'] as const),
  ...(['integer', 'number', 'currency', 'percent', 'rating', 'duration', 'switch'] as const),
  ...(['date', 'time', 'datetime', 'select', 'multiSelect', 'tags', 'geo'] as const),
]);

/**
 * The origin of a site, as it may stand in a Content-Security-Policy. Narrower than what is a URL: a host of that may hold `*`, `,` and `;`, which there mean
 * every site, another policy and another rule.
 */
export const isSiteOrigin = (text: string): boolean => /^https?:\/\/(?:[a-z\d_-]+(?:\.[a-z\d_-]+)*|\[[\da-f:]+\])(?::\d{1,5})?$/.test(text);

export const openFormLimits = {
  /** Bytes of what is sent. */ body: 262_144,
  /** Answers that a link can be limited to. */ answers: 1_000_000,
  /** Sites that may embed it. */ embeds: 20,
} as const;

/** Why a field of the form stays inside. */
export const leftOutReasons = ['kind', 'hidden', 'sensitive'] as const;
export type LeftOutReason = (typeof leftOutReasons)[number];

type FormField = {
  readonly id: string;
  readonly type: FieldType;
  readonly hidden: boolean;
  readonly readonly: boolean;
  readonly sensitive: boolean;
  readonly required: boolean;
  readonly default: FieldDefault | null;
  readonly options: { readonly from?: string | undefined };
  readonly conditions: readonly { readonly then: 'hidden' | 'required' | 'readonly' }[];
};
export type PublicForm<F> = {
  readonly laid: LaidForm<F>;
  /** What people of the site fill in here and the public does not. */
  readonly leftOut: readonly { readonly field: F; readonly why: LeftOutReason }[];
  /** Required fields that nobody could fill in: no record comes out of this form that may be published. */
  readonly missing: readonly F[];
};

/**
 * What the public fills in of a form view: the fields that the view shows to people of the site, in the same order, but for those that must stay inside. `columns`: those
 * of the view, null where it names none.
 */
export function publicForm<F extends FormField>(
  table: { readonly fields: readonly F[]; readonly primaryField: string | null; readonly layout: FormLayout | null },
  columns: readonly string[] | null,
): PublicForm<F> {
  const { fields, primaryField, layout } = table;
  const placed = placedIn(layout);
  const byView = columns === null ? [] : columns;
  const order = primaryField === null || byView.includes(primaryField) ? byView : [primaryField, ...byView];
  const typed = fields.filter(
    ({ id, type, readonly, hidden }) =>
      !isComputed(type) && type !== 'inverse' && !readonly && (columns === null ? !hidden || placed.has(id) : order.includes(id)),
  );
  const place = ({ id }: F): number => (columns === null ? (id === primaryField ? -1 : 0) : order.indexOf(id));
  // The layout orders what the view shows; where there is none, the view does.
  const given = layoutOf(table, layout ? typed : [...typed].sort((a, b) => place(a) - place(b))).fields;
  const whyNot = (field: F): LeftOutReason | null =>
    !openFieldTypes.has(field.type) ? 'kind' : field.sensitive ? 'sensitive' : field.hidden ? 'hidden' : null;
  const kept = given.filter((field) => whyNot(field) === null);
  const shown = new Set(kept.map(({ id }) => id));
  return {
    laid: layoutOf(table, kept),
    leftOut: given.flatMap((field) => {
      const why = whyNot(field);
      return why === null ? [] : [{ field, why }];
    }),
    missing: fields.filter((field) => field.required && !shown.has(field.id) && !fillsItself(field) && !field.conditions.some(({ then }) => then === 'hidden')),
  };
}

/** Has a value without anybody typing one. */
function fillsItself({ type, default: given, options }: FormField): boolean {
  if (isComputed(type) || type === 'inverse' || (type === 'slug' && options.from !== undefined)) return true;
  return given !== null && given.kind !== 'user' && !(given.kind === 'value' && isNothing(given.value));
}

/** Whether a value says nothing. */
export const isNothing = (value: unknown): boolean => value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

type Conditional = {
  readonly id: string;
  readonly yields: ValueKind;
  readonly required: boolean;
  /** What the record gets where nothing is sent. */ readonly start: unknown;
  readonly conditions: readonly { readonly filter: RecordFilter; readonly then: 'hidden' | 'required' | 'readonly' }[];
};
export type FormState = { /** Can be filled in now. */ readonly shown: boolean; readonly required: boolean };

/**
 * Asks `statesOf` until nothing changes which fields somebody can fill in: what is taken away counts as it would be kept, with its default (`start`), and may bring others
 * back or take them away by that.
 */
export function settledStates<S>(
  ids: readonly string[],
  values: Readonly<Record<string, unknown>>,
  start: (id: string) => unknown,
  statesOf: (kept: Readonly<Record<string, unknown>>) => { readonly states: S; readonly away: ReadonlySet<string> },
): S {
  let before: ReadonlySet<string> = new Set();
  for (let round = 0; ; round++) {
    const kept = { ...values, ...Object.fromEntries([...before].map((id) => [id, start(id)])) };
    const { states, away } = statesOf(kept);
    if (round >= ids.length || (away.size === before.size && [...away].every((id) => before.has(id)))) return states;
    before = away;
  }
}

/** Which fields of a form are to be filled in, and which must be, for what is typed so far. */
export function formStates(fields: readonly Conditional[], values: Readonly<Record<string, unknown>>, at: MatchMoment): ReadonlyMap<string, FormState> {
  const named = fields.map(({ id, yields }) => ({ id, key: id, aliases: [], yields }));
  const starts = new Map(fields.map(({ id, start }) => [id, start]));
  return settledStates(
    fields.map(({ id }) => id),
    values,
    (id) => starts.get(id),
    (kept) => {
      const record = matched(named, Object.fromEntries(fields.map(({ id }) => [id, kept[id]])));
      const states = new Map(
        fields.map(({ id, required, conditions }): [string, FormState] => {
          const holds = (then: 'hidden' | 'required' | 'readonly'): boolean =>
            conditions.some((one) => one.then === then && matchFilter(one.filter, record, at));
          return [id, { shown: !holds('hidden') && !holds('readonly'), required: required || holds('required') }];
        }),
      );
      return { states, away: new Set([...states].filter(([, { shown }]) => !shown).map(([id]) => id)) };
    },
  );
}
