import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { SupportOverview } from '@contract/support/conversations';
import type { Site } from '@contract/sites/schemas';
import { webAddress } from '@/lib/webAddress';
import { CopyButton } from '@/ui/CopyButton';
import { EmptyState } from '@/ui/EmptyState';
import { Icon } from '@/ui/Icon';

/** Before the first conversation: how the widget gets onto the site. */
export function FirstSteps({
  site,
  overview,
  onSettings,
}: {
  readonly site: Site;
  readonly overview: SupportOverview;
  readonly onSettings: (() => void) | null;
}): ReactElement {
  const { t } = useTranslation('support');
  const { mode, delivered, snippet } = overview;
  if (mode === 'off')
    return (
      <EmptyState
        title={t('first.off')}
        icon={<Icon name="chat" size={40} />}
        action={
          onSettings && (
            <Button variant="contained" onClick={onSettings}>
              {t('first.switchOn')}
            </Button>
          )
        }
      >
        {t(onSettings ? 'first.offText' : 'first.askAdmin')}
      </EmptyState>
    );
  if (mode === 'external') return <EmptyState title={t('first.external')}>{t('first.externalText')}</EmptyState>;
  const address = webAddress(site.systemHost);
  if (delivered)
    return (
      <EmptyState
        title={t('first.waiting')}
        icon={<Icon name="chat" size={40} />}
        action={
          address !== null && (
            <Button component="a" href={address} target="_blank" rel="noreferrer noopener" variant="outlined">
              {t('first.openSite')}
            </Button>
          )
        }
      >
        {t('first.delivered', { site: site.name })}
      </EmptyState>
    );
  return (
    <EmptyState title={t('first.waiting')} icon={<Icon name="chat" size={40} />}>
      <p>{t('first.snippet')}</p>
      <pre className="support-snippet">{snippet}</pre>
      <CopyButton text={snippet}>{t('first.copy')}</CopyButton>
    </EmptyState>
  );
}
