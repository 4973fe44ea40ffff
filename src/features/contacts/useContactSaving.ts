import { useState } from 'react';
import type { ContactInput, Contact } from '@contract/contacts/schemas';
import { isFailure, isStale } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { changes, conflicts } from '@/ui/form/conflicts';
import { setServerErrors, resetForm } from '@/ui/form/useContractForm';
import type { ContractForm } from '@/ui/form/useContractForm';
import { useAddContactMutation, useChangeContactMutation, useReplaceContactMutation } from './contactsApi';
import { mergedValues, valuesOf } from './contactValues';
import type { ContactValues } from './contactValues';

type Options = {
  readonly contact: Contact | null;
  readonly onSaved: (saved: Contact, how: 'saved' | 'added' | 'merged') => void;
};

/**
 * Adds a contact, or changes one with a PATCH of the changed fields. After a conflict that needs a decision, "mine" replaces the whole contact (PUT)
 * on the revision that was compared. An address that belongs to another contact offers a merge.
 */
export function useContactSaving(form: ContractForm<ContactInput, ContactValues>, { contact, onSaved }: Options) {
  const [add, adding] = useAddContactMutation();
  const [change, changing] = useChangeContactMutation();
  const [replace, replacing] = useReplaceContactMutation();
  const [base, setBase] = useState(contact);
  /** The current version, if both sides changed the same field. */
  const [theirs, setTheirs] = useState<Contact | null>(null);
  /** The contact that has the typed address. */
  const [double, setDouble] = useState<Contact | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);

  const fail = (error: unknown) => {
    if (!isFailure(error)) return;
    if (error.code === 'email_taken' && error.current) setDouble(error.current as Contact);
    if (!setServerErrors(form, error, { 'quietHours.timeZone': 'quietHours.timeZone' })) setFailure(error);
  };
  const saveOnto = async (onto: Contact, before: Contact, values: ContactValues): Promise<void> => {
    const { data, error } = await change({ id: onto.id, revision: onto.revision, body: changes(valuesOf(before), values) });
    if (data) return onSaved(data, 'saved');
    const current = isFailure(error) && isStale(error) ? (error.current as Contact | undefined) : undefined;
    if (!current) return fail(error);
    if (conflicts(valuesOf(before), values, valuesOf(current)).length > 0) return setTheirs(current);
    return current.revision === onto.revision ? fail(error) : saveOnto(current, before, values);
  };
  const reset = () => {
    setFailure(null);
    setDouble(null);
  };
  return {
    base,
    theirs,
    double,
    failure,
    busy: adding.isLoading || changing.isLoading || replacing.isLoading,
    submit: async (values: ContactValues) => {
      reset();
      if (base !== null) return saveOnto(base, base, values);
      const { data, error } = await add({ body: values });
      return data ? onSaved(data, 'added') : fail(error);
    },
    keepMine: async (current: Contact, values: ContactValues) => {
      const { data, error } = await replace({ id: current.id, revision: current.revision, body: values });
      if (data) return onSaved(data, 'saved');
      if (isFailure(error) && isStale(error) && error.current) return setTheirs(error.current as Contact);
      return fail(error);
    },
    takeTheirs: (current: Contact) => {
      setTheirs(null);
      setBase(current);
      resetForm(form, valuesOf(current));
      // The pressed button is removed with the notice; the focus must not be lost.
      form.setFocus('name');
    },
    /** The other contact is gone: the input is saved on top of the merged one. */
    afterMerge: (merged: Contact, values: ContactValues) => {
      reset();
      return base ? saveOnto(merged, base, values) : undefined;
    },
    /** The input for a new contact is added to the existing one with its address. */
    intoExisting: async (current: Contact, values: ContactValues) => {
      reset();
      const before = valuesOf(current);
      const { data, error } = await change({ id: current.id, revision: current.revision, body: changes(before, mergedValues(before, values)) });
      return data ? onSaved(data, 'merged') : fail(error);
    },
  };
}
