import { Box, Button, Typography } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { noticeShown } from '@/features/notices/noticesSlice';
import { selectMay } from '@/features/session/sessionSlice';
import { isFailure } from '@/store/failure';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { TypedConfirm } from '@/ui/form/TypedConfirm';
import { LinkDialog } from './LinkDialog';
import {
  useDisablePersonMutation,
  useEnablePersonMutation,
  usePersonLinkMutation,
  useRemovePersonMutation,
  useResetPersonFactorMutation,
  useSignOutPersonMutation,
} from './peopleApi';
import type { OneTimeLink, PersonWithGrants } from './peopleApi';
import { usePeopleFailure, usePeopleFailureMessage } from './usePeopleFailure';

type Act = 'signOut' | 'link' | 'emailLink' | 'reset' | 'disable' | 'enable' | 'remove';

/** Actions on somebody’s account. Each explains its effect first. */
export function PersonActions({
  person,
  onGone,
  onHold,
}: {
  readonly person: PersonWithGrants;
  readonly onGone: () => void;
  /** While true, closing would lose a link that is being created or shown. */
  readonly onHold: (hold: boolean) => void;
}): ReactElement {
  const { t } = useTranslation('people');
  const id = useId();
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const fail = usePeopleFailure();
  const messageOf = usePeopleFailureMessage();
  const mayReset = useAppSelector((state) => selectMay(state, 'people.reset'));
  const [signOut] = useSignOutPersonMutation();
  const [disable] = useDisablePersonMutation();
  const [enable] = useEnablePersonMutation();
  const [resetFactor] = useResetPersonFactorMutation();
  const [makeLink] = usePersonLinkMutation();
  const [remove] = useRemovePersonMutation();
  const [busy, setBusy] = useState<Act | null>(null);
  const [removing, setRemoving] = useState(false);
  const [link, setLink] = useState<(OneTimeLink & { readonly kind: 'reset' | 'email' }) | null>(null);
  const name = person.displayName;

  const ask = (act: 'signOut' | 'link' | 'reset' | 'disable', danger = true) =>
    confirm({ title: t(`act.${act}.title`, { name }), body: t(`act.${act}.text`), confirm: t(`act.${act}.button`), danger });
  const run = async (act: Act, work: () => Promise<{ readonly error?: unknown }>, done: Readonly<Record<string, string | number>> | null) => {
    setBusy(act);
    const { error } = await work();
    setBusy(null);
    if (isFailure(error)) fail(error);
    else if (done) dispatch(noticeShown({ tone: 'good', message: { key: `people:act.${act}.done`, values: done } }));
  };
  const makeOne = (kind: 'reset' | 'email') => async () => {
    // Reported immediately, not by an effect: the second click of a double click may hit the drawer's backdrop.
    onHold(true);
    const call = makeLink({ id: person.id, body: { kind } });
    const result = await call;
    call.reset();
    if (result.data) setLink({ ...result.data, kind });
    else onHold(false);
    return result;
  };
  const acts: Readonly<Record<Act, { readonly shown: boolean; readonly danger?: true; readonly run: () => Promise<void> }>> = {
    signOut: {
      shown: true,
      run: async () => {
        if (!(await ask('signOut'))) return;
        setBusy('signOut');
        const { data, error } = await signOut({ id: person.id });
        setBusy(null);
        if (isFailure(error)) fail(error);
        else dispatch(noticeShown({ tone: 'good', message: { key: 'people:act.signOut.done', values: { name, n: data?.ended ?? 0 } } }));
      },
    },
    link: { shown: mayReset && person.state === 'active', run: async () => void ((await ask('link', false)) && (await run('link', makeOne('reset'), null))) },
    emailLink: { shown: mayReset && person.pendingEmail !== null, run: () => run('emailLink', makeOne('email'), null) },
    reset: {
      shown: mayReset && person.secondFactor,
      run: async () => void ((await ask('reset')) && (await run('reset', () => resetFactor({ id: person.id }), { name }))),
    },
    disable: {
      shown: person.state === 'active',
      danger: true,
      run: async () => void ((await ask('disable')) && (await run('disable', () => disable({ id: person.id }), { name }))),
    },
    enable: { shown: person.state === 'disabled', run: () => run('enable', () => enable({ id: person.id }), { name }) },
    remove: {
      shown: true,
      danger: true,
      run: () => {
        setRemoving(true);
        return Promise.resolve();
      },
    },
  };
  const takeOut = async (): Promise<string | null> => {
    const { error } = await remove({ id: person.id, body: { confirm: person.loginName } });
    if (isFailure(error)) return messageOf(error);
    dispatch(noticeShown({ message: { key: 'people:act.remove.done', values: { name } } }));
    onGone();
    return null;
  };
  return (
    <section aria-labelledby={id}>
      <Typography id={id} component="h3" variant="h3" sx={{ mb: 1 }}>
        {t('act.title')}
      </Typography>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {(Object.keys(acts) as Act[])
          .filter((act) => acts[act].shown)
          .map((act) => (
            <Box component="li" key={act} sx={{ display: 'flex', alignItems: 'center', gap: 2, py: 1 }}>
              <Box sx={{ flex: 1, minWidth: 0 }}>
                <Typography variant="body2">{t(`act.${act}.name`)}</Typography>
                <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
                  {t(`act.${act}.detail`)}
                </Typography>
              </Box>
              <Button
                variant="outlined"
                {...(acts[act].danger && { color: 'error' as const, sx: { color: 'error.main' } })}
                aria-busy={busy === act}
                disabled={busy !== null && busy !== act}
                onClick={() => void acts[act].run()}
              >
                {t(`act.${act}.button`)}
              </Button>
            </Box>
          ))}
      </Box>
      {link && (
        <LinkDialog
          title={t(`act.${link.kind === 'reset' ? 'link' : 'emailLink'}.made`, { name })}
          url={link.url}
          expiresAt={link.expiresAt}
          onClose={() => {
            setLink(null);
            onHold(false);
          }}
        >
          <Typography variant="body2">{t(`act.${link.kind === 'reset' ? 'link' : 'emailLink'}.hand`)}</Typography>
        </LinkDialog>
      )}
      <TypedConfirm
        open={removing}
        title={t('act.remove.title', { name })}
        phrase={person.loginName}
        confirmLabel={t('act.remove.button')}
        onConfirm={takeOut}
        onClose={() => setRemoving(false)}
      >
        {t('act.remove.text')}
      </TypedConfirm>
    </section>
  );
}
