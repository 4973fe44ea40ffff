import { Box, Button, OutlinedInput, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { peopleEndpoints } from '@contract/people/schemas';
import { notifyFailure } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import type { ResultOf } from '@/store/endpoints';
import { useAppDispatch } from '@/store/hooks';
import { CopyButton } from '@/ui/CopyButton';
import { useOwnEmailLinkMutation } from '../securityApi';

/** Without a mail server an owner creates the link that confirms their own address here: a sole owner cannot ask anyone else. */
export function OwnEmailLink({ userId }: { readonly userId: string }): ReactElement {
  const { t } = useTranslation('security');
  const format = useFormat();
  const dispatch = useAppDispatch();
  const [make, { isLoading }] = useOwnEmailLinkMutation();
  const [link, setLink] = useState<ResultOf<typeof peopleEndpoints.personLink> | null>(null);
  const run = async () => {
    const call = make({ id: userId, body: { kind: 'email' } });
    const { data, error } = await call;
    // The link must not stay in the store.
    call.reset();
    if (data) setLink(data);
    else notifyFailure(dispatch, error);
  };
  if (link === null)
    return (
      <Button variant="outlined" aria-busy={isLoading} disabled={isLoading} onClick={() => void run()}>
        {t('email.link')}
      </Button>
    );
  return (
    <Box role="group" aria-label={t('email.linkLabel')} sx={{ display: 'grid', gap: 0.5, width: 1 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
        <OutlinedInput
          fullWidth
          readOnly
          autoFocus
          value={link.url}
          onFocus={(event) => event.target.select()}
          slotProps={{ input: { 'aria-label': t('email.linkLabel'), spellCheck: false } }}
          sx={{ fontFamily: 'var(--mono)', fontSize: 'var(--text-table)' }}
        />
        <Box sx={{ flex: 'none', whiteSpace: 'nowrap' }}>
          <CopyButton text={link.url} label={t('email.linkCopyLabel')}>
            {t('email.linkCopy')}
          </CopyButton>
        </Box>
      </Box>
      <Typography variant="caption" sx={{ color: 'text.secondary' }}>
        {t('email.linkUntil', { when: format.dateTime(link.expiresAt) })}
      </Typography>
    </Box>
  );
}
