import { Box, Button, Typography } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { noticeShown } from '@/features/notices/noticesSlice';
import { isFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { TypedConfirm } from '@/ui/form/TypedConfirm';
import { LinkDialog } from './LinkDialog';
import { useRemovePersonMutation } from './peopleApi';
import type { PersonWithGrants } from './peopleApi';
import { usePeopleFailureMessage } from './usePeopleFailure';
import { usePersonActions } from './usePersonActions';
import type { PersonAction } from './usePersonActions';

type ItemProps = { readonly act: PersonAction; readonly danger: boolean; readonly busy: PersonAction | null; readonly onRun: () => void };

function ActItem({ act, danger, busy, onRun }: ItemProps): ReactElement {
  const { t } = useTranslation('people');
  return (
    <Box component="li" sx={{ display: 'flex', alignItems: 'center', gap: 2, py: 1 }}>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography variant="body2">{t(`act.${act}.name`)}</Typography>
        <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
          {t(`act.${act}.detail`)}
        </Typography>
      </Box>
      <Button variant="outlined" {...(danger && { color: 'error' as const })} aria-busy={busy === act} disabled={busy !== null && busy !== act} onClick={onRun}>
        {t(`act.${act}.button`)}
      </Button>
    </Box>
  );
}

type RemovalProps = { readonly person: PersonWithGrants; readonly open: boolean; readonly onGone: () => void; readonly onClose: () => void };

/** Removes the person once their login name has been typed. */
function Removal({ person, open, onGone, onClose }: RemovalProps): ReactElement {
  const { t } = useTranslation('people');
  const dispatch = useAppDispatch();
  const messageOf = usePeopleFailureMessage();
  const [remove] = useRemovePersonMutation();
  const name = person.displayName;
  const submit = async (): Promise<string | null> => {
    const { error } = await remove({ id: person.id, body: { confirm: person.loginName } });
    if (isFailure(error)) return messageOf(error);
    dispatch(noticeShown({ message: { key: 'people:act.remove.done', values: { name } } }));
    onGone();
    return null;
  };
  return (
    <TypedConfirm
      open={open}
      title={t('act.remove.title', { name })}
      phrase={person.loginName}
      confirmLabel={t('act.remove.button')}
      onConfirm={submit}
      onClose={onClose}
    >
      {t('act.remove.text')}
    </TypedConfirm>
  );
}

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
  const [removing, setRemoving] = useState(false);
  const { acts, busy, link, closeLink } = usePersonActions(person, { onRemove: () => setRemoving(true), onHold });
  const linkAct = link?.kind === 'email' ? 'emailLink' : 'link';
  return (
    <section aria-labelledby={id}>
      <Typography id={id} component="h3" variant="h3" sx={{ mb: 1 }}>
        {t('act.title')}
      </Typography>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {(Object.keys(acts) as PersonAction[])
          .filter((act) => acts[act].visible)
          .map((act) => (
            <ActItem key={act} act={act} danger={acts[act].danger ?? false} busy={busy} onRun={() => void acts[act].run()} />
          ))}
      </Box>
      {link && (
        <LinkDialog title={t(`act.${linkAct}.created`, { name: person.displayName })} url={link.url} expiresAt={link.expiresAt} onClose={closeLink}>
          <Typography variant="body2">{t(`act.${linkAct}.hand`)}</Typography>
        </LinkDialog>
      )}
      <Removal person={person} open={removing} onGone={onGone} onClose={() => setRemoving(false)} />
    </section>
  );
}
