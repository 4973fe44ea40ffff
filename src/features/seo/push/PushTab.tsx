import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import { useLive } from '@/lib/useLive';
import { useAppDispatch } from '@/store/hooks';
import { ResultState } from '@/ui/ResultState';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import { EngineList } from './EngineList';
import { Ledger } from './Ledger';
import { pushesChanged, usePushSettingsQuery } from './pushApi';
import { PushDialog } from './PushDialog';
import { PushSettingsForm } from './PushSettingsForm';

/** Which search engines are told about changed pages, and what they were told. */
export default function PushTab({ site }: { readonly site: Site }): ReactElement {
  const { t } = useTranslation('seo');
  const dispatch = useAppDispatch();
  const [pushing, setPushing] = useState(false);
  const result = usePushSettingsQuery({ siteId: site.id }, { refetchOnMountOrArgChange: true });
  useLive([`seo:${site.id}`], () => void dispatch(pushesChanged()));
  const mayChange = mayOnSite(site.role, 'site.compose') && site.purpose === 'built';
  return (
    <ResultState result={result} skeleton={<RowsSkeleton rows={8} />}>
      {(status) => {
        const on = status.engines.filter((one) => one.on).map(({ engine }) => engine);
        return (
          <>
            {!status.indexed && (
              <p role="note" className="seo-note">
                {t('push.notIndexed')}
              </p>
            )}
            <EngineList siteId={site.id} status={status} mayChange={mayChange} />
            <div className="seo-settings">
              <PushSettingsForm siteId={site.id} status={status} readOnly={!mayChange} />
            </div>
            <Section
              title={t('push.ledger')}
              note={t('push.ledgerLead')}
              actions={
                mayChange &&
                on.length > 0 && (
                  <Button variant="outlined" onClick={() => setPushing(true)}>
                    {t('push.now')}
                  </Button>
                )
              }
            >
              <Ledger siteId={site.id} />
            </Section>
            {pushing && <PushDialog siteId={site.id} engines={on} onClose={() => setPushing(false)} />}
          </>
        );
      }}
    </ResultState>
  );
}
