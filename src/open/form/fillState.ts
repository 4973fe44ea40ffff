import { formStates, isNothing } from '@contract/tables/formTerms';
import type { OpenField } from '@contract/tables/forms';
import type { FieldErrors } from '../call';
import { blankInput, readTyped } from './typed';
import type { AllTyped } from './typed';

/** What an input amounts to: the fields that the form's conditions leave, which of them are required, and what would be sent. */
export function fillState(fields: readonly OpenField[], typed: AllTyped, { now, timeZone }: { readonly now: number; readonly timeZone: string }) {
  const reads = new Map(fields.map((field) => [field.id, readTyped(field, typed[field.id] ?? blankInput(field), timeZone)]));
  const valueOf = (id: string): unknown => {
    const read = reads.get(id);
    return read && 'value' in read ? read.value : null;
  };
  const states = formStates(fields, Object.fromEntries(fields.map(({ id }) => [id, valueOf(id)])), { now, zone: timeZone, userId: null });
  const present = fields.filter(({ id }) => states.get(id)?.visible !== false);
  const isRequired = ({ id }: OpenField): boolean => states.get(id)?.required === true;
  /** The current value of a field: a required check box has none until it is checked. */
  const sentValueOf = (field: OpenField): unknown => (field.type === 'switch' && isRequired(field) && valueOf(field.id) === false ? null : valueOf(field.id));

  /** Errors by field id: unreadable input, and required fields without input unless the server fills them. */
  const missing = (): FieldErrors =>
    Object.fromEntries(
      present.flatMap((field): [string, FieldErrors[string]][] => {
        const read = reads.get(field.id);
        if (read && 'error' in read) return [[field.id, { code: read.error }]];
        return isRequired(field) && isNothing(sentValueOf(field)) && !field.fills ? [[field.id, { code: 'required' }]] : [];
      }),
    );
  /** The values to send: an empty field is omitted unless it had a default, in which case it is sent as empty. */
  const values = (): Record<string, unknown> =>
    Object.fromEntries(present.flatMap((field) => (isNothing(sentValueOf(field)) && isNothing(field.start) ? [] : [[field.id, sentValueOf(field)] as const])));
  return { present, isRequired, missing, values };
}
