import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Notice } from '@/features/notices/noticesSlice';
import { noticeShown } from '@/features/notices/noticesSlice';
import { selectMay } from '@/features/session/sessionSlice';
import { isFailure } from '@/lib/failure';
import { undoOfferMs } from '@/lib/undoOffer';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { offerEnabling } from './disableUndo';
import { useDisablePersonMutation, useEnablePersonMutation, usePersonLinkMutation, useResetPersonFactorMutation, useSignOutPersonMutation } from './peopleApi';
import type { OneTimeLink, PersonWithGrants } from './peopleApi';
import { usePeopleFailure } from './usePeopleFailure';

export type PersonAction = 'signOut' | 'link' | 'emailLink' | 'reset' | 'disable' | 'enable' | 'remove';
type LinkKind = 'reset' | 'email';
type Acts = Readonly<Record<PersonAction, { readonly visible: boolean; readonly danger?: true; readonly run: () => Promise<void> }>>;
type Result<R> = { readonly data?: R | undefined; readonly error?: unknown };

/** Runs an action and reports its result. The notice of success has the values of `done`; null: none is needed. */
function useActRunner() {
  const dispatch = useAppDispatch();
  const fail = usePeopleFailure();
  const [busy, setBusy] = useState<PersonAction | null>(null);
  const run = async <R>(
    act: PersonAction,
    call: () => Promise<Result<R>>,
    done: ((data: R | undefined) => Readonly<Record<string, string | number>>) | null,
    undo?: () => Notice['action'],
  ) => {
    setBusy(act);
    const { data, error } = await call();
    setBusy(null);
    if (isFailure(error)) fail(error);
    else if (done) {
      const action = undo?.();
      const message = { key: `people:act.${act}.done`, values: done(data) };
      dispatch(noticeShown({ tone: 'good', message, ...(action && { action, for: undoOfferMs }) }));
    }
  };
  return { busy, run };
}

/** Creates a one-time link, which is in this state only: not in the store. */
function usePersonLink(person: PersonWithGrants, onHold: (hold: boolean) => void) {
  const [request] = usePersonLinkMutation();
  const [link, setLink] = useState<(OneTimeLink & { readonly kind: LinkKind }) | null>(null);
  const create = async (kind: LinkKind) => {
    // Reported immediately, not by an effect: the second click of a double click may hit the drawer's backdrop.
    onHold(true);
    const call = request({ id: person.id, body: { kind } });
    const result = await call;
    call.reset();
    if (result.data) setLink({ ...result.data, kind });
    else onHold(false);
    return result;
  };
  const close = () => {
    setLink(null);
    onHold(false);
  };
  return { link, create, close };
}

type Options = {
  readonly onRemove: () => void;
  /** While true, closing would lose a link that is being created or shown. */
  readonly onHold: (hold: boolean) => void;
};

/** Actions on somebody’s account: which of them apply, and what each does after confirmation. `onRemove` asks for the removal. */
export function usePersonActions(person: PersonWithGrants, { onRemove, onHold }: Options) {
  const { t } = useTranslation('people');
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const mayReset = useAppSelector((state) => selectMay(state, 'people.reset'));
  const [signOut] = useSignOutPersonMutation();
  const [disable] = useDisablePersonMutation();
  const [enable] = useEnablePersonMutation();
  const [resetFactor] = useResetPersonFactorMutation();
  const { busy, run } = useActRunner();
  const { link, create, close } = usePersonLink(person, onHold);
  const { id, displayName: name } = person;

  const ask = (act: 'signOut' | 'link' | 'reset' | 'disable', danger = true) =>
    confirm({ title: t(`act.${act}.title`, { name }), body: t(`act.${act}.text`), confirm: t(`act.${act}.button`), danger });
  const named = () => ({ name });
  const acts: Acts = {
    signOut: {
      visible: true,
      run: async () =>
        void (
          (await ask('signOut')) &&
          (await run(
            'signOut',
            () => signOut({ id }),
            (data) => ({ name, n: data?.ended ?? 0 }),
          ))
        ),
    },
    link: {
      visible: mayReset && person.state === 'active',
      run: async () => void ((await ask('link', false)) && (await run('link', () => create('reset'), null))),
    },
    emailLink: { visible: mayReset && person.pendingEmail !== null, run: () => run('emailLink', () => create('email'), null) },
    reset: {
      visible: mayReset && person.secondFactor,
      run: async () => void ((await ask('reset')) && (await run('reset', () => resetFactor({ id }), named))),
    },
    disable: {
      visible: person.state === 'active',
      danger: true,
      run: async () =>
        void (
          (await ask('disable')) &&
          (await run(
            'disable',
            () => disable({ id }),
            named,
            () => offerEnabling(dispatch, id),
          ))
        ),
    },
    enable: { visible: person.state === 'disabled', run: () => run('enable', () => enable({ id }), named) },
    remove: { visible: true, danger: true, run: () => Promise.resolve(onRemove()) },
  };
  return { acts, busy, link, closeLink: close };
}
