import type { Cause, DashboardCauses } from '@contract/dashboard/causes';
import type { Site } from '@contract/sites/schemas';
import { styled } from '@mui/material/styles';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useRuleTexts } from '@/features/crawler/rules/useRuleTexts';
import { useFormat } from '@/lib/format';
import { readableUrl } from '@/lib/readableUrl';
import { href } from '@/routes/paths';
import { Tag } from '@/ui/Tag';

const Signals = styled('dl')({
  display: 'grid',
  gridTemplateColumns: 'max-content minmax(0, 1fr)',
  gap: '4px 12px',
  margin: '8px 0 0',
  fontSize: 'var(--text-table)',
  '& dt': { color: 'var(--ink-2)' },
  '& dd': { margin: 0, overflowWrap: 'anywhere' },
  '& dd small': { color: 'var(--ink-2)', fontSize: 'var(--text-secondary)' },
});
/** `3.2`, or that there is none. */
const usePosition = (): ((position: number | null) => string) => {
  const { t } = useTranslation('dashboard');
  const { decimal } = useFormat();
  return (position) => (position === null ? t('causes.gone') : decimal(position, 1));
};

const Signal = ({ kind, children }: { readonly kind: 'position' | 'issue' | 'redirect'; readonly children: ReactNode }): ReactElement => {
  const { t } = useTranslation('dashboard');
  return (
    <>
      <dt>{t(`causes.kind.${kind}`)}</dt>
      <dd>{children}</dd>
    </>
  );
};

/** What is known of a page, one kind after the other. */
export const CauseSignals = ({
  cause,
  site,
  days,
}: {
  readonly cause: Cause;
  readonly site: Site;
  readonly days: DashboardCauses['keywordDays'];
}): ReactElement => {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const position = usePosition();
  const { text: ruleText } = useRuleTexts();
  const { redirect } = cause;
  const exact = (at: string): string => format.dateTime(at, { timeZone: site.timeZone });
  return (
    <Signals>
      {cause.keywords.map(({ engine, query, position: places }) => (
        <Signal key={`${engine} ${query ?? ''}`} kind="position">
          {t(query === null ? 'causes.pagePosition' : 'causes.position', {
            query: query ?? '',
            engine: t(`causes.engine.${engine}`),
            now: position(places.now),
            before: position(places.before),
          })}{' '}
          {days && <small>{t('causes.days', { days: format.days(days), compareDays: format.days({ from: days.compareFrom, to: days.compareTo }) })}</small>}
        </Signal>
      ))}
      {redirect && (
        <Signal kind="redirect">
          {redirect.status === 410 ? t('causes.redirectGone') : t('causes.redirect', { to: readableUrl(redirect.to) })}{' '}
          {redirect.release !== null && redirect.since !== null && (
            <small title={exact(redirect.since)}>{t('causes.since', { number: redirect.release, when: format.relative(redirect.since) })}</small>
          )}
        </Signal>
      )}
      {cause.issues.map((issue) => (
        <Signal key={`${issue.runId} ${issue.rule} ${issue.urlId}`} kind="issue">
          <Link
            className="text-link"
            title={exact(issue.fixedAt ?? issue.foundAt)}
            to={`${href('developer.crawler.site', { siteId: site.id })}?run=${issue.runId}&tab=pages&page=${issue.urlId}`}
          >
            {t(issue.fixedAt === null ? 'causes.issue' : 'causes.fixedIssue', {
              rule: ruleText(issue.rule, 'name'),
              when: format.relative(issue.fixedAt ?? issue.foundAt),
            })}
          </Link>{' '}
          {issue.fixedAt !== null && <Tag tone="good">{t('causes.fixedTag')}</Tag>}
        </Signal>
      ))}
    </Signals>
  );
};
