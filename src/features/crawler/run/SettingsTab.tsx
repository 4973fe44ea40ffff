import { Box, Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router-dom';
import type { Crawler } from '@contract/crawler/schemas';
import { isOpenRun } from '@contract/crawler/terms';
import { isFailure } from '@/lib/failure';
import { useFormat } from '@/lib/format';
import { href } from '@/routes/paths';
import { TypedConfirm } from '@/ui/form/TypedConfirm';
import { Section } from '@/ui/Section';
import { useRemoveCrawlerMutation } from '../crawlerApi';
import { SettingsSummary } from '../SettingsSummary';

function Removal({ crawler }: { readonly crawler: Crawler }): ReactElement {
  const { t } = useTranslation('crawler');
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const [remove] = useRemoveCrawlerMutation();
  const isBusy = crawler.lastRun !== null && isOpenRun(crawler.lastRun);
  const confirm = async (): Promise<string | null> => {
    const { error } = await remove({ crawlerId: crawler.id, body: { confirm: crawler.name } });
    if (error !== undefined) return isFailure(error) && error.message !== '' ? error.message : t('remove.failed');
    void navigate(href('developer.crawler'), { replace: true });
    return null;
  };
  return (
    <Section title={t('remove.title')}>
      <p>{t(isBusy ? 'remove.busy' : 'remove.text')}</p>
      <Button color="error" variant="outlined" disabled={isBusy} onClick={() => setOpen(true)}>
        {t('remove.open')}
      </Button>
      <TypedConfirm
        open={open}
        title={t('remove.open')}
        phrase={crawler.name}
        confirmLabel={t('remove.confirm')}
        onConfirm={confirm}
        onClose={() => setOpen(false)}
      >
        {t('remove.text')}
      </TypedConfirm>
    </Section>
  );
}

/** The settings in words, ways to change or copy them, and deletion. */
export function SettingsTab({ crawler, mayConfigure }: { readonly crawler: Crawler; readonly mayConfigure: boolean }): ReactElement {
  const { t } = useTranslation('crawler');
  const format = useFormat();
  const address = href('developer.crawler.create', { crawlerId: crawler.id });
  return (
    <>
      {mayConfigure && (
        <Box sx={{ display: 'flex', gap: 1, my: 2 }}>
          <Button component={Link} to={address} variant="outlined">
            {t('settings.edit')}
          </Button>
          <Button component={Link} to={`${address}?clone=1`}>
            {t('settings.clone')}
          </Button>
        </Box>
      )}
      <SettingsSummary config={crawler.config} verified={crawler.verified} />
      <p style={{ color: 'var(--ink-2)', fontSize: 'var(--text-secondary)' }}>{t('settings.changed', { when: format.dateTime(crawler.updatedAt) })}</p>
      {mayConfigure && <Removal crawler={crawler} />}
    </>
  );
}
