import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { ReactElement, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { User } from '@contract/session/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useDraft } from '@/features/session/useDraft';
import { withMessages } from '@/i18n';
import { describeTimeZone } from '@/lib/timeZones';
import { useAppDispatch } from '@/store/hooks';
import { withMui } from '@/theme/mui';
import { Field } from '@/ui/form/Field';
import { FormSection } from '@/ui/form/FormSection';
import { AvatarField } from './AvatarField';

/** What a person has typed and focused while the form was loading. `pressed`: the field was clicked. */
export type Input = {
  readonly displayName: string | undefined;
  /** Text that was typed in the field of the time zone before it was left. */
  readonly timeZone: string | undefined;
  readonly focus: {
    readonly name: 'displayName' | 'timeZone';
    readonly text: string;
    readonly selection: readonly [start: number, end: number];
    readonly pressed: boolean;
  } | null;
};

const loadForm = () => withMui(withMessages(import(/* webpackChunkName: "account-profile" */ './ProfileForm'), ['form']));
type ProfileForm = Awaited<ReturnType<typeof loadForm>>['default'];
let loaded: ProfileForm | null = null;
export const profileDraft = 'account.profile';

/** The form, whose code loads when the pointer or the focus comes to its fields, or if there is a draft to restore. */
function useProfileForm() {
  const dispatch = useAppDispatch();
  const { restored } = useDraft(profileDraft);
  const [Form, setForm] = useState(() => loaded);
  const load = async () => {
    try {
      loaded ??= (await loadForm()).default;
      setForm(() => loaded);
    } catch {
      // The same notice each time the pointer comes to the fields.
      dispatch(noticeShown({ id: profileDraft, tone: 'bad', message: { key: 'shell:partFailed' } }));
    }
  };
  const restore = useEffectEvent(() => {
    if (restored !== undefined) void load();
  });
  useEffect(() => restore(), []);
  return { Form, load: () => void load() };
}

/** The list of zones, which opens with the form. */
const closedList = { role: 'combobox', 'aria-expanded': false, 'aria-autocomplete': 'list' } as const;

/** The fields as the form shows them; `input` receives what was typed and focused when the form replaces them. */
function ProfileFields({
  user,
  input,
  onNear,
  onComposing,
}: {
  readonly user: User;
  readonly input: RefObject<Input | null>;
  /** The pointer or the focus has come to the fields. */ readonly onNear: () => void;
  readonly onComposing: (composing: boolean) => void;
}): ReactElement {
  const { t, i18n } = useTranslation('account');
  const name = useRef<HTMLInputElement>(null);
  const zone = useRef<HTMLInputElement>(null);
  const pressed = useRef(false);
  useLayoutEffect(() => {
    const fields = { displayName: name.current, timeZone: zone.current };
    return () => {
      const { displayName, timeZone } = fields;
      const focused = (['displayName', 'timeZone'] as const).find((one) => fields[one] === document.activeElement);
      const element = focused && fields[focused];
      input.current = {
        displayName: displayName?.value === displayName?.defaultValue ? undefined : displayName?.value,
        timeZone: focused === 'timeZone' || timeZone?.value === timeZone?.defaultValue ? undefined : timeZone?.value,
        focus: element
          ? { name: focused, text: element.value, selection: [element.selectionStart ?? 0, element.selectionEnd ?? 0], pressed: pressed.current }
          : null,
      };
    };
  }, [input]);
  const { name: zoneName, offset } = describeTimeZone(user.timeZone, i18n.language);
  return (
    <div
      className="form-fields"
      onPointerEnter={onNear}
      onFocus={onNear}
      onCompositionStart={() => onComposing(true)}
      onCompositionEnd={() => onComposing(false)}
    >
      <Field label={t('center.displayName')}>
        {(control) => (
          <span className="text-input">
            <input ref={name} {...control} defaultValue={user.displayName} maxLength={40} autoComplete="name" />
          </span>
        )}
      </Field>
      <Field label={t('center.timeZone')}>
        {(control) => (
          <span className="text-input">
            <input
              ref={zone}
              {...control}
              {...closedList}
              autoComplete="off"
              spellCheck={false}
              defaultValue={user.timeZone.replaceAll('_', ' ')}
              onPointerDown={() => {
                pressed.current = true;
              }}
            />
            <span>{`${zoneName} · ${offset}`}</span>
          </span>
        )}
      </Field>
    </div>
  );
}

/** Picture, name and time zone. */
export function ProfileSection({ user }: { readonly user: User }): ReactElement {
  const { t } = useTranslation('account');
  const { Form, load } = useProfileForm();
  const input = useRef<Input | null>(null);
  // An input method's text would be lost with its input.
  const [composing, setComposing] = useState(false);
  return (
    <FormSection title={t('center.profile')} lead={t('center.profileLead')}>
      <AvatarField user={user} />
      {Form && !composing ? <Form user={user} input={input} /> : <ProfileFields user={user} input={input} onNear={load} onComposing={setComposing} />}
    </FormSection>
  );
}
