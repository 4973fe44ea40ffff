import { Box, Typography } from '@mui/material';
import { useCallback, useRef } from 'react';
import type { ComponentProps, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { isFailure } from '@/lib/failure';
import { useAppSelector } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { SideSheet } from '@/ui/SideSheet';
import { RowsSkeleton } from '@/ui/skeletons';
import { useContactQuery } from './contactsApi';
import { selectContact } from './contactsSlice';
import { ContactForm } from './ContactForm';

/** A contact by its address (`?id=`): refetched when opened, so that its revision is current. */
function Opened({
  id,
  ...form
}: {
  readonly id: string;
} & Omit<ComponentProps<typeof ContactForm>, 'contact'>): ReactElement {
  const { t } = useTranslation('contacts');
  const { error, isFetching, isUninitialized, refetch } = useContactQuery({ id }, { refetchOnMountOrArgChange: true });
  const contact = useAppSelector((state) => selectContact(state, id));
  if (isFetching || isUninitialized)
    return (
      <Box sx={{ px: 3 }}>
        <RowsSkeleton rows={5} />
      </Box>
    );
  if (isFailure(error)) {
    return (
      <Box sx={{ px: 3 }}>
        {error.status === 404 ? (
          <Typography variant="body2">{t('contacts.missing')}</Typography>
        ) : (
          <ErrorPanel failure={error} onRetry={() => void refetch()} />
        )}
      </Box>
    );
  }
  return contact ? (
    <ContactForm key={id} contact={contact} {...form} />
  ) : (
    <Typography variant="body2" sx={{ px: 3 }}>
      {t('contacts.missing')}
    </Typography>
  );
}

const nothing = { dirty: false, discard: (): void => undefined };

/** The right drawer with one contact; closing it asks for confirmation if there are unsaved changes. */
export function ContactDrawer({
  id,
  onClose,
}: {
  /** `new` or an id; null is closed. */ readonly id: string | null;
  readonly onClose: () => void;
}): ReactElement {
  const { t } = useTranslation('contacts');
  const confirm = useConfirm();
  const typing = useRef(nothing);
  const onTyping = useCallback((now: typeof nothing) => {
    typing.current = now;
  }, []);
  const close = () => {
    typing.current = nothing;
    onClose();
  };
  const ask = async () => {
    const { dirty } = typing.current;
    if (
      dirty &&
      !(await confirm({
        title: t('contacts.discardTitle'),
        body: t('contacts.discardText'),
        confirm: t('contacts.discard'),
        cancel: t('contacts.keep'),
        danger: true,
      }))
    )
      return;
    if (dirty) typing.current.discard();
    close();
  };
  const form = { onTyping, onDone: close, onCancel: () => void ask() };
  return (
    <SideSheet title={t(id === 'new' ? 'contacts.newTitle' : 'contacts.editTitle')} open={id !== null} width={600} onClose={() => void ask()}>
      {id === 'new' && <ContactForm contact={null} {...form} />}
      {id !== null && id !== 'new' && <Opened key={id} id={id} {...form} />}
    </SideSheet>
  );
}
