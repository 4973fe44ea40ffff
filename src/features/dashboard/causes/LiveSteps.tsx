import type { Cause } from '@contract/dashboard/causes';
import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import { Button } from '@mui/material';
import { styled } from '@mui/material/styles';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useRecheckCrawledPageMutation } from '@/features/crawler/inventory/inventoryApi';
import { useRuleTexts } from '@/features/crawler/rules/useRuleTexts';
import { useSitePartsQuery } from '@/features/publishing/publishingApi';
import { isFailure } from '@/lib/failure';
import { useFormat } from '@/lib/format';
import { ErrorPanel } from '@/ui/ErrorPanel';
import type { Fix } from './FixPanel';
import { useRedirectFix } from './useRedirectFix';

/** After so many milliseconds without a check, it is offered by hand. */
const patience = 20_000;

type State = 'done' | 'busy' | 'failed';
const List = styled('ol')({
  listStyle: 'none',
  margin: '8px 0 16px',
  padding: 0,
  '& > li': { display: 'grid', gridTemplateColumns: '20px minmax(0, 1fr) max-content', gap: 8, padding: '6px 0', alignItems: 'baseline' },
  '& i': { fontStyle: 'normal', color: 'var(--ink-2)' },
  '& [data-state="done"] > i': { color: 'var(--good)' },
  '& [data-state="failed"] > i': { color: 'var(--bad)' },
  '& time': { color: 'var(--ink-2)', fontVariantNumeric: 'tabular-nums' },
});
const Heading = styled('h3')({ margin: '20px 0 4px', fontSize: 'var(--text-body)', fontWeight: 600 });
const marks = { done: '✓', busy: '…', failed: '!' } as const;

const Step = ({
  state,
  at,
  zone,
  children,
}: {
  readonly state: State;
  readonly at: string | null;
  readonly zone: string;
  readonly children: string;
}): ReactElement => {
  const { time } = useFormat();
  return (
    <li data-state={state}>
      <i aria-hidden>{marks[state]}</i>
      <span>{children}</span>
      {at !== null && <time dateTime={at}>{time(at, { timeZone: zone, seconds: true })}</time>}
    </li>
  );
};

/** Whether some time has passed since something was published. */
function usePatience(since: string | null): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (since === null) return;
    const timer = setTimeout(() => setOver(true), patience);
    return () => clearTimeout(timer);
  }, [since]);
  return isOver;
}

/** The last request of the page since it was published, and whether one is overdue. */
function useCheck(cause: Cause, fix: Fix | null) {
  const since = fix?.release.publishedAt ?? null;
  const rechecks = cause.issues.flatMap(({ recheck }) => (recheck === null || (since !== null && recheck.at < since) ? [] : [recheck]));
  const last = rechecks.toSorted((a, b) => (a.at < b.at ? 1 : -1))[0] ?? null;
  return { last, isOver: usePatience(since) };
}

const Undo = ({
  site,
  path,
  fix,
  onUndone,
}: {
  readonly site: Site;
  readonly path: string;
  readonly fix: Fix;
  readonly onUndone: () => void;
}): ReactElement | null => {
  const { t } = useTranslation('dashboard');
  const { data } = useSitePartsQuery({ siteId: site.id });
  const { publish, busy, failure, stale } = useRedirectFix(site.id, path);
  const { before } = fix;
  if (before === null || !data) return null;
  const undo = async (): Promise<void> => {
    if (await publish(data.redirects, before.from, before, fix.at)) onUndone();
  };
  return (
    <>
      {stale && <p role="alert">{t('causes.panel.changed')}</p>}
      {failure && <ErrorPanel failure={failure} />}
      <Button disabled={busy} onClick={() => void undo()}>
        {t(busy ? 'causes.live.publishing' : 'causes.live.undo')}
      </Button>
    </>
  );
};

/** What was published, what the crawler then got, and which issues are fixed by that; it follows by itself. */
export function LiveSteps({
  site,
  path,
  cause,
  fix,
  onUndone,
  onClose,
}: {
  readonly site: Site;
  readonly path: string;
  readonly cause: Cause;
  readonly fix: Fix | null;
  readonly onUndone: () => void;
  readonly onClose: () => void;
}): ReactElement {
  const { t } = useTranslation('dashboard');
  const { text } = useRuleTexts();
  const { issues } = cause;
  const { last, isOver } = useCheck(cause, fix);
  const [check, { isLoading, error }] = useRecheckCrawledPageMutation();
  const [issue] = issues;
  const mayCheck = mayOnSite(site.role, 'crawler.run');
  const zone = site.timeZone;
  return (
    <section aria-label={t('causes.live.title')}>
      <Heading>{t('causes.live.title')}</Heading>
      <List aria-live="polite">
        {fix && (
          <Step state="done" at={fix.release.publishedAt} zone={zone}>
            {t('causes.live.published', { number: fix.release.number })}
          </Step>
        )}
        {fix && (
          <Step state="done" at={null} zone={zone}>
            {t('causes.live.flag')}
          </Step>
        )}
        {fix && last === null && (
          <Step state={issue && !isOver ? 'busy' : 'failed'} at={null} zone={zone}>
            {t(issue === undefined ? 'causes.live.unknown' : isOver ? 'causes.live.waiting' : 'causes.live.checking')}
          </Step>
        )}
        {last !== null && (
          <Step state={last.status >= 200 && last.status < 300 ? 'done' : 'failed'} at={last.at} zone={zone}>
            {last.status === 0 ? t('causes.live.silent') : t('causes.live.answers', { status: last.status })}
          </Step>
        )}
        {issues.map(({ rule, state, fixedAt, urlId, runId }) => {
          const found = state === 'fixed' ? 'fixed' : last === null && !isOver ? 'pending' : 'open';
          return (
            <Step key={`${runId} ${rule} ${urlId}`} state={({ fixed: 'done', pending: 'busy', open: 'failed' } as const)[found]} at={fixedAt} zone={zone}>
              {t(`causes.live.${found}`, { rule: text(rule, 'name') })}
            </Step>
          );
        })}
      </List>
      {isFailure(error) && <ErrorPanel failure={error} />}
      {issue && mayCheck && isOver && last === null && (
        <Button variant="outlined" disabled={isLoading} onClick={() => void check({ crawlRunId: issue.runId, urlId: issue.urlId })}>
          {t('causes.live.check')}
        </Button>
      )}
      <Button variant="contained" onClick={onClose} sx={{ mr: 1 }}>
        {t('causes.live.done')}
      </Button>
      {fix && <Undo site={site} path={path} fix={fix} onUndone={onUndone} />}
    </section>
  );
}
