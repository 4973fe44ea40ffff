import { Box, Button, Typography } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { isFailure } from '@/lib/failure';
import { LinkDialog } from './LinkDialog';
import { usePersonLinkMutation } from './peopleApi';
import type { OneTimeLink, PersonWithGrants } from './peopleApi';
import { usePeopleFailure } from './usePeopleFailure';

/** Confirms the pending address of one's own account: a sole owner cannot ask anyone else for the link. */
export function OwnEmailLink({ person, onHold }: { readonly person: PersonWithGrants; readonly onHold: (hold: boolean) => void }): ReactElement {
  const { t } = useTranslation('people');
  const id = useId();
  const fail = usePeopleFailure();
  const [makeLink, { isLoading }] = usePersonLinkMutation();
  const [link, setLink] = useState<OneTimeLink | null>(null);
  const make = async () => {
    onHold(true);
    const call = makeLink({ id: person.id, body: { kind: 'email' } });
    const { data, error } = await call;
    // The link must not stay in the store.
    call.reset();
    if (data) return setLink(data);
    onHold(false);
    return isFailure(error) ? fail(error) : undefined;
  };
  return (
    <section aria-labelledby={id}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography id={id} component="h3" variant="body2">
            {t('act.emailLink.name')}
          </Typography>
          <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
            {t('act.emailLink.detailSelf')}
          </Typography>
        </Box>
        <Button variant="outlined" aria-busy={isLoading} disabled={isLoading} onClick={() => void make()}>
          {t('act.emailLink.button')}
        </Button>
      </Box>
      {link && (
        <LinkDialog
          title={t('act.emailLink.created', { name: person.displayName })}
          url={link.url}
          expiresAt={link.expiresAt}
          onClose={() => {
            setLink(null);
            onHold(false);
          }}
        >
          <Typography variant="body2">{t('act.emailLink.handSelf')}</Typography>
        </LinkDialog>
      )}
    </section>
  );
}
