import { layoutOf, placedIn } from './formLayout';
import type { LaidForm } from './formLayout';
import { isNothing } from './formTerms';
import type { FieldDefault, FormLayout } from './schemas';
import { isComputed, isPublicFormType, resourceKindsOf } from './fieldTypes';
import type { FieldType } from './fieldTypes';

/** Which fields of a form view are public. Apart from `formTerms.ts`, because the page of a form does without the registry of types. */

/** Why a field is not part of the public form. */
export const leftOutReasons = ['kind', 'files', 'hidden', 'sensitive'] as const;
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
  /** Fields that people of the site fill in here and the public does not. */
  readonly leftOut: readonly { readonly field: F; readonly why: LeftOutReason }[];
  /** Required fields that the public cannot fill in: no submission could become a publishable record. */
  readonly missing: readonly F[];
};

/**
 * The public part of a form view: the fields that the view shows to people of the site, in the same order, without those that must not be public.
 * `columns`: those of the view, null if it names none. `takesFiles`: whether the form's link takes files.
 */
export function publicForm<F extends FormField>(
  table: { readonly fields: readonly F[]; readonly primaryField: string | null; readonly layout: FormLayout | null },
  columns: readonly string[] | null,
  takesFiles = false,
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
  // The layout determines the order; without one, the view does.
  const orderedFields = layoutOf(table, layout ? typed : [...typed].sort((a, b) => place(a) - place(b))).fields;
  const isPublic = ({ type }: F): boolean => isPublicFormType(type) || (takesFiles && resourceKindsOf(type) !== null);
  const whyNot = (field: F): LeftOutReason | null =>
    !isPublic(field) ? (resourceKindsOf(field.type) === null ? 'kind' : 'files') : field.sensitive ? 'sensitive' : field.hidden ? 'hidden' : null;
  const formFields = orderedFields.filter((field) => whyNot(field) === null);
  const visibleIds = new Set(formFields.map(({ id }) => id));
  return {
    laid: layoutOf(table, formFields),
    leftOut: orderedFields.flatMap((field) => {
      const why = whyNot(field);
      return why === null ? [] : [{ field, why }];
    }),
    missing: fields.filter(
      (field) => field.required && !visibleIds.has(field.id) && !fillsItself(field) && !field.conditions.some(({ then }) => then === 'hidden'),
    ),
  };
}

/** Gets a value without user input. */
function fillsItself({ type, default: fieldDefault, options }: FormField): boolean {
  if (isComputed(type) || type === 'inverse' || (type === 'slug' && options.from !== undefined)) return true;
  return fieldDefault !== null && fieldDefault.kind !== 'user' && !(fieldDefault.kind === 'value' && isNothing(fieldDefault.value));
}
