import { Box, Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { CrawledPageDetail } from '@contract/crawler/inventorySchemas';
import { bytesText } from '@/lib/bytes';
import { isFailure } from '@/lib/failure';
import { useFormat } from '@/lib/format';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { useLazyCrawledPageBodyQuery } from '../inventoryApi';

/** The stored body as text: it is never rendered. */
export function PageSource({ page, runId }: { readonly page: CrawledPageDetail; readonly runId: string }): ReactElement {
  const { t } = useTranslation('inventory');
  const format = useFormat();
  const [load, { data, error, isFetching }] = useLazyCrawledPageBodyQuery();
  const read = (): void => void load({ crawlRunId: runId, urlId: page.urlId });
  if (!page.hasBody)
    return (
      <EmptyState ghost="rows" title={t('source.none')}>
        {t('source.noneText')}
      </EmptyState>
    );
  if (error !== undefined) return <ErrorPanel failure={isFailure(error) ? error : null} onRetry={read} retrying={isFetching} />;
  if (data === undefined)
    return (
      <Button variant="outlined" disabled={isFetching} aria-busy={isFetching} onClick={read}>
        {t('source.show', { size: bytesText(page.bytes, format) })}
      </Button>
    );
  return (
    <>
      {data.cut && <p className="inventory-quiet">{t('source.cut', { size: bytesText(data.bytes, format) })}</p>}
      <Box component="pre" className="inventory-source" role="region" tabIndex={0} aria-label={t('view.source')} dir="ltr">
        {data.text}
      </Box>
    </>
  );
}
