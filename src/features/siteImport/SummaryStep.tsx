import { Box, Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { SiteImport } from '@contract/siteImport/schemas';
import { siteImportLimits } from '@contract/siteImport/terms';
import { selectSite } from '@/features/sites/sitesSlice';
import { isFailure } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { useFormat } from '@/lib/format';
import { useAppSelector } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { useMapSiteImportMutation, useRunSiteImportMutation } from './siteImportApi';
import type { Draft } from './steps';

/** What will happen, in the order in which it does; the run begins here. */
export function SummaryStep({
  it,
  draft: { mapping, target },
  onBack,
  onStarted,
}: {
  readonly it: SiteImport;
  readonly draft: Draft;
  readonly onBack: () => void;
  readonly onStarted: () => void;
}): ReactElement {
  const { t } = useTranslation('siteImport');
  const format = useFormat();
  const site = useAppSelector((state) => ('siteId' in target ? selectSite(state, target.siteId) : undefined));
  const [map, mapping_] = useMapSiteImportMutation();
  const [run, running] = useRunSiteImportMutation();
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const busy = mapping_.isLoading || running.isLoading;
  const { plan } = it;
  const chosen = (plan?.collections ?? []).filter(({ key }) => mapping.collections.find((one) => one.key === key)?.include ?? true);
  const titleOf = (key: string, otherwise: string): string => mapping.collections.find((one) => one.key === key)?.title ?? otherwise;
  const moved = chosen.reduce((sum, one) => sum + one.moved, 0);
  const start = async (): Promise<void> => {
    setFailure(null);
    const mapped = await map({ id: it.id, body: { mapping, target } });
    const started = mapped.error ? mapped : await run({ id: it.id });
    if (isFailure(started.error)) setFailure(started.error);
    else onStarted();
  };
  return (
    <Box sx={{ display: 'grid', gap: 3 }}>
      <ol className="import-summary">
        <li>{'siteId' in target ? t('summary.into', { name: site?.name ?? '' }) : t('summary.create', { name: target.name })}</li>
        {chosen.map(({ key, title, count }) => (
          <li key={key}>{t('summary.table', { title: titleOf(key, title), count, number: format.number(count) })}</li>
        ))}
        {(plan?.media ?? 0) > 0 && (
          <li>{t(mapping.media === 'copy' ? 'summary.media' : 'summary.mediaLinked', { count: plan?.media ?? 0, number: format.number(plan?.media ?? 0) })}</li>
        )}
        {it.source !== 'archive' && <li>{t(`summary.${mapping.status}`)}</li>}
        {mapping.redirects && moved > 0 && <li>{t('summary.redirects', { count: moved, number: format.number(moved) })}</li>}
        {it.source !== 'archive' && <li>{t('summary.check')}</li>}
        <li>{t('summary.private')}</li>
      </ol>
      <p className="import-quiet">{t('summary.undo', { days: siteImportLimits.undoDays })}</p>
      {failure && <ErrorPanel title={t('summary.failed')} failure={failure} />}
      <Box sx={{ display: 'flex', gap: 1, justifyContent: 'flex-end' }}>
        <Button onClick={onBack}>{t('back')}</Button>
        <Button variant="contained" disabled={busy} onClick={() => void start()}>
          {t('summary.start')}
        </Button>
      </Box>
    </Box>
  );
}
