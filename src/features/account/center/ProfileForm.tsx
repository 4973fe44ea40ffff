import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ReactElement, RefObject } from 'react';
import { useFormState, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { safeName } from '@contract/text';
import type { User } from '@contract/session/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useFormDraft } from '@/features/session/useFormDraft';
import { useUnsavedWork } from '@/features/session/useUnsavedWork';
import { isFailure, isStale } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { changes, conflicts } from '@/ui/form/conflicts';
import { Form } from '@/ui/form/Form';
import { StaleNotice } from '@/ui/form/StaleNotice';
import { TextField } from '@/ui/form/TextField';
import { TimeZoneField } from '@/ui/form/TimeZoneField';
import { setServerErrors, resetForm, useContractForm } from '@/ui/form/useContractForm';
import type { ContractForm } from '@/ui/form/useContractForm';
import { LeaveDialog } from '@/ui/LeaveDialog';
import { SaveBar } from '@/ui/SaveBar';
import { useChangeUserMutation } from '../accountApi';
import { profileDraft } from './ProfileSection';
import type { Input } from './ProfileSection';

const Profile = z.object({ displayName: safeName(40), timeZone: z.string().min(1).max(64) });
type Profile = z.output<typeof Profile>;
const profileOf = ({ displayName, timeZone }: Profile): Profile => ({ displayName, timeZone });

/** Continues in the fields of `box` with what was typed and focused before the form had loaded, after a stored draft was restored. */
function useInput({ setValue }: ContractForm<Profile>, input: RefObject<Input | null>, box: RefObject<HTMLElement | null>): void {
  // Before the browser handles another key: the focused input has just been replaced.
  useLayoutEffect(() => {
    const { focus } = input.current ?? {};
    const element =
      focus && box.current?.querySelector<HTMLInputElement>(focus.name === 'displayName' ? 'input[name="displayName"]' : 'input[role="combobox"]');
    if (!element) return;
    element.focus();
    if (element.value !== focus.text) {
      element.setRangeText(focus.text, 0, element.value.length);
      element.dispatchEvent(new InputEvent('input', { bubbles: true }));
    } else if (focus.pressed) element.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }));
    element.setSelectionRange(...focus.selection);
  }, [input, box]);
  useEffect(() => {
    const { displayName } = input.current ?? {};
    if (displayName !== undefined) setValue('displayName', displayName, { shouldDirty: true });
  }, [setValue, input]);
}

/**
 * Name and time zone, saved together. `base` is what the form started from; a change made elsewhere replaces it only while nothing is lost. `input`: of
 * the person while this form was loading.
 */
export default function ProfileForm({ user, input }: { readonly user: User; readonly input: RefObject<Input | null> }): ReactElement {
  const { t } = useTranslation('account');
  const dispatch = useAppDispatch();
  const [save, { isLoading }] = useChangeUserMutation();
  const [base, setBase] = useState(user);
  const [theirs, setTheirs] = useState<User | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const form = useContractForm(Profile, { defaultValues: profileOf(base), values: profileOf(base) });
  const { isDirty } = useFormState({ control: form.control });
  const zone = useWatch({ control: form.control, name: 'timeZone' });
  if (base !== user && user.revision >= base.revision && (!isDirty || JSON.stringify(profileOf(user)) === JSON.stringify(profileOf(base)))) setBase(user);
  useFormDraft(form, profileDraft);
  const box = useRef<HTMLDivElement>(null);
  useInput(form, input, box);
  const [typedZone, setTypedZone] = useState<string>();
  useEffect(() => setTypedZone(input.current?.timeZone), [input]);
  const blocker = useUnsavedWork(isDirty);

  /** Saves on top of `onto`, keeping changes made elsewhere in other fields. */
  const saveOnto = async (onto: User, profile: Profile): Promise<void> => {
    setFailure(null);
    const { data, error } = await save({ id: onto.id, revision: onto.revision, body: changes(profileOf(base), profile) });
    if (data) {
      setTheirs(null);
      setBase(data);
      resetForm(form, profileOf(data));
      dispatch(noticeShown({ tone: 'good', message: { key: 'account:center.saved' } }));
      return;
    }
    if (!isFailure(error)) return;
    const current = error.current as User | undefined;
    if (isStale(error) && current) {
      if (conflicts(profileOf(base), profile, profileOf(current)).length > 0) return setTheirs(current);
      if (current.revision !== onto.revision) return saveOnto(current, profile);
    }
    if (!setServerErrors(form, error)) setFailure(error);
  };

  const takeTheirs = (current: User) => {
    setTheirs(null);
    setBase(current);
    resetForm(form, profileOf(current));
    // The pressed button is removed with the notice; the focus must not be lost.
    form.setFocus('displayName');
  };
  const mine = form.getValues();
  return (
    <Form form={form} onSubmit={(profile) => saveOnto(theirs ?? base, profile)} label={t('center.profile')}>
      <div className="form-fields" ref={box}>
        {theirs && (
          <StaleNotice
            differences={conflicts(profileOf(base), mine, profileOf(theirs)).map((field) => ({
              label: t(`center.${field}`),
              mine: mine[field],
              theirs: theirs[field],
            }))}
            onKeepMine={() => void form.handleSubmit((profile) => saveOnto(theirs, profile))()}
            onTakeTheirs={() => takeTheirs(theirs)}
          />
        )}
        {failure && <ErrorPanel failure={failure} />}
        <TextField control={form.control} name="displayName" label={t('center.displayName')} maxLength={40} autoComplete="name" />
        <TimeZoneField control={form.control} name="timeZone" label={t('center.timeZone')} include={zone} typed={typedZone} />
        <SaveBar
          dirty={isDirty}
          saving={isLoading}
          onDiscard={() => {
            setTheirs(null);
            resetForm(form, profileOf(user));
            setBase(user);
          }}
        />
      </div>
      <LeaveDialog blocker={blocker} />
    </Form>
  );
}
