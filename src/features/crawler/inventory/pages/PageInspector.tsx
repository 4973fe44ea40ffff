import Close from '@mui/icons-material/CloseOutlined';
import { Button, Drawer, IconButton } from '@mui/material';
import { useId } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { CrawledPageDetail } from '@contract/crawler/inventorySchemas';
import { notifyFailure, noticeShown } from '@/features/notices/noticesSlice';
import { isFailure } from '@/lib/failure';
import { readableUrl } from '@/lib/readableUrl';
import { oneOf, useSearchState } from '@/lib/searchState';
import { useAppDispatch } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { ResultState } from '@/ui/ResultState';
import { RowsSkeleton } from '@/ui/skeletons';
import { Toggles } from '@/ui/Toggles';
import { useCrawledPageQuery, useRecheckCrawledPageMutation } from '../inventoryApi';
import { inspectorAddress } from '../pageAddress';
import { IndexTag, StatusTag } from '../parts';
import type { RunProps } from '../run';
import { useRunRights } from '../useRunRights';
import { PageHistory } from './PageHistory';
import { PageLinks } from './PageLinks';
import { PageSource } from './PageSource';
import { PageSummary } from './PageSummary';

const views = ['summary', 'links', 'history', 'source'] as const;
const address = { ...inspectorAddress, view: oneOf(views, 'summary') };

function Recheck({ runId, urlId }: { readonly runId: string; readonly urlId: number }): ReactElement {
  const { t } = useTranslation('inventory');
  const dispatch = useAppDispatch();
  const [recheck, { isLoading }] = useRecheckCrawledPageMutation();
  const run = async (): Promise<void> => {
    const { data, error } = await recheck({ crawlRunId: runId, urlId });
    if (data) {
      const key = data.reading === 'received' ? 'inventory:page.rechecked' : (`inventory:page.recheckedAs.${data.reading}` as const);
      dispatch(noticeShown({ tone: data.open === 0 ? 'good' : 'info', message: { key, values: { open: data.open, fixed: data.fixed } } }));
    } else notifyFailure(dispatch, error);
  };
  return (
    <Button variant="outlined" disabled={isLoading} aria-busy={isLoading} onClick={() => void run()}>
      {t(isLoading ? 'page.rechecking' : 'page.recheck')}
    </Button>
  );
}

function Content({ page, crawlerId, runId }: RunProps & { readonly page: CrawledPageDetail }): ReactElement {
  const { t } = useTranslation('inventory');
  const [{ view }, change] = useSearchState(address);
  const { site, mayChange } = useRunRights(runId);
  return (
    <>
      <div className="inspector-head">
        <a className="text-link inventory-url" href={page.url} target="_blank" rel="noreferrer noopener" dir="ltr">
          {readableUrl(page.url)}
        </a>
        <div className="inventory-chips">
          <StatusTag page={page} />
          <IndexTag page={page} />
          {page.facts.rendering?.raw && <span className="inventory-quiet">{t('page.rendered')}</span>}
          {page.reused && <span className="inventory-quiet">{t('page.reused')}</span>}
        </div>
        <div className="inventory-bar">
          <Toggles
            label={t('page.view')}
            value={view}
            choices={views.map((value) => ({ value, label: t(`view.${value}`) }))}
            onChoose={(next) => change({ view: next }, 'replace')}
          />
          {mayChange && page.kind !== 'external' && <Recheck runId={runId} urlId={page.urlId} />}
        </div>
      </div>
      {view === 'summary' && <PageSummary page={page} site={site} crawlerId={crawlerId} runId={runId} mayChange={mayChange} />}
      {view === 'links' && <PageLinks runId={runId} urlId={page.urlId} />}
      {view === 'history' && <PageHistory page={page} />}
      {view === 'source' && <PageSource page={page} runId={runId} />}
    </>
  );
}

function Opened({ crawlerId, runId, urlId }: RunProps & { readonly urlId: number }): ReactElement {
  const { t } = useTranslation('inventory');
  const result = useCrawledPageQuery({ crawlRunId: runId, urlId });
  return (
    <ResultState
      result={result}
      skeleton={<RowsSkeleton rows={8} />}
      failed={(error, retry, retrying) =>
        isFailure(error) && error.status === 404 ? (
          <p>{t('page.missing')}</p>
        ) : (
          <ErrorPanel failure={isFailure(error) ? error : null} onRetry={retry} retrying={retrying} />
        )
      }
    >
      {(page) => <Content key={page.urlId} page={page} crawlerId={crawlerId} runId={runId} />}
    </ResultState>
  );
}

/** Everything about one page of a run, in a drawer with an address of its own; the whole screen on a phone. */
export function PageInspector({ crawlerId, runId }: RunProps): ReactElement {
  const { t } = useTranslation('inventory');
  const titleId = useId();
  const [{ page }, change] = useSearchState(address);
  const urlId = /^\d{1,16}$/.test(page) ? Number(page) : null;
  const close = (): void => change({ page: '', view: 'summary' });
  return (
    <Drawer
      anchor="right"
      open={urlId !== null}
      onClose={close}
      slotProps={{
        paper: {
          role: 'dialog',
          'aria-modal': true,
          'aria-labelledby': titleId,
          sx: { width: { xs: '100%', sm: 'calc(100% - 48px)' }, maxWidth: { sm: 720 }, '&:focus-visible': { outline: 'none' } },
        },
      }}
    >
      <div className="inspector-title">
        <h2 id={titleId}>{t('page.one')}</h2>
        <IconButton edge="end" aria-label={t('close')} onClick={close}>
          <Close fontSize="small" />
        </IconButton>
      </div>
      <div className="inspector">{urlId !== null && <Opened crawlerId={crawlerId} runId={runId} urlId={urlId} />}</div>
    </Drawer>
  );
}
