import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router-dom';
import { PageHeader } from '@/ui/PageHeader';
import { useClearGuestbookMutation, useGuestbookQuery } from './guestbookApi';

export const Component = (): ReactElement => {
  const { t } = useTranslation(['guestbook', 'nav']);
  const { siteId = '' } = useParams();
  const { data: entries = [] } = useGuestbookQuery({ siteId });
  const [clear, { isLoading }] = useClearGuestbookMutation();
  return (
    <>
      <PageHeader title={t('nav:guestbook')} />
      {entries.length === 0 ? <p>{t('empty')}</p> : entries.map(({ id, text }) => <p key={id}>{text}</p>)}
      <Button disabled={isLoading || entries.length === 0} onClick={() => void clear({ siteId })}>
        {t('clear')}
      </Button>
    </>
  );
};
