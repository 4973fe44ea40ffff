import { Button, Checkbox } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { CrawlIssue } from '@contract/crawler/inventorySchemas';
import type { Site } from '@contract/sites/schemas';
import { useFormat } from '@/lib/format';
import { IssueStateTag, PageLink, SeverityTag } from '../parts';
import { useRuleTexts } from '../../rules/useRuleTexts';
import { fixOf } from './fixHere';
import { IgnoreDialog } from './IgnoreDialog';
import { useIssueChange } from './useIssueChange';

type Props = {
  readonly rows: readonly CrawlIssue[];
  readonly crawlerId: string;
  readonly site: Site | undefined;
  readonly mayChange: boolean;
  /** All are at one page, whose address is elsewhere; their rules are named. */
  readonly isOnePage?: boolean;
};
type RowProps = Omit<Props, 'rows'> & {
  readonly issue: CrawlIssue;
  readonly isChosen: boolean;
  readonly onChoose: (() => void) | null;
  readonly onIgnore: () => void;
  readonly onReopen: () => void;
};

function IssueRow({ issue, site, mayChange, isOnePage = false, isChosen, onChoose, onIgnore, onReopen }: RowProps): ReactElement {
  const { t } = useTranslation('inventory');
  const format = useFormat();
  const texts = useRuleTexts();
  const fix = fixOf(issue, site);
  const detail = texts.found(issue.rule, issue.detail);
  // Several pages that are measured as one, such as all products.
  const { family } = issue.detail;
  const name = issue.url ?? (family === undefined ? t('issue.wholeSite') : String(family));
  return (
    <li>
      <div className="inventory-row">
        {onChoose && (
          <Checkbox size="small" checked={isChosen} onChange={onChoose} slotProps={{ input: { 'aria-label': t('issue.choose', { name }) } }} sx={{ p: 0 }} />
        )}
        <span className="inventory-row-main">
          {isOnePage ? (
            <b>{texts.text(issue.rule, 'name')}</b>
          ) : issue.urlId === null || issue.url === null ? (
            <b className="inventory-url">{name}</b>
          ) : (
            <PageLink page={{ urlId: issue.urlId, url: issue.url, title: issue.title }} />
          )}
          {detail !== '' && <small dir="auto">{detail}</small>}
          {isOnePage && <small>{texts.text(issue.rule, 'fix')}</small>}
          {issue.ignored && (
            <small>
              {issue.ignored.until === null
                ? t('issue.ignoredBecause', { reason: issue.ignored.reason })
                : t('issue.ignoredUntil', { reason: issue.ignored.reason, date: format.date(issue.ignored.until, { weekday: false }) })}
            </small>
          )}
        </span>
        <span className="inventory-chips">
          <SeverityTag severity={issue.severity} />
          <IssueStateTag state={issue.state} />
        </span>
        <span className="inventory-actions">
          {fix && (
            <Button size="small" component={Link} to={fix.to}>
              {t(`fix.${fix.place}`)}
            </Button>
          )}
          {mayChange &&
            issue.state !== 'fixed' &&
            (issue.ignored ? (
              <Button size="small" onClick={onReopen} aria-label={t('issue.reopenOf', { name })}>
                {t('issue.reopen')}
              </Button>
            ) : (
              <Button size="small" onClick={onIgnore} aria-label={t('issue.ignoreOf', { name })}>
                {t('issue.ignore')}
              </Button>
            ))}
        </span>
      </div>
    </li>
  );
}

/** Issues one by one: fix, ignore, reopen, also several at once. */
export function IssueRows({ rows, crawlerId, site, mayChange, isOnePage = false }: Props): ReactElement {
  const { t } = useTranslation('inventory');
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [ignoring, setIgnoring] = useState<readonly number[]>([]);
  const { change } = useIssueChange(crawlerId);
  const present = rows.filter(({ id }) => chosen.has(id));
  const reopen = (ids: readonly number[]): void => {
    setChosen(new Set());
    void change({ change: 'reopen', select: { ids: [...ids] } });
  };
  const toggle = (id: number): void => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  const toIgnore = present.filter(({ ignored, state }) => !ignored && state !== 'fixed').map(({ id }) => id);
  const toReopen = present.filter(({ ignored }) => ignored !== null).map(({ id }) => id);
  return (
    <>
      {present.length > 0 && (
        <div className="inventory-bar" role="group" aria-label={t('issue.chosen', { count: present.length })}>
          <span>{t('issue.chosen', { count: present.length })}</span>
          {toIgnore.length > 0 && <Button onClick={() => setIgnoring(toIgnore)}>{t('issue.ignore')}</Button>}
          {toReopen.length > 0 && <Button onClick={() => reopen(toReopen)}>{t('issue.reopen')}</Button>}
        </div>
      )}
      <ul className="inventory-rows" aria-label={t('column.issues')}>
        {rows.map((issue) => (
          <IssueRow
            key={issue.id}
            issue={issue}
            crawlerId={crawlerId}
            site={site}
            mayChange={mayChange}
            isOnePage={isOnePage}
            isChosen={chosen.has(issue.id)}
            onChoose={mayChange && !isOnePage ? () => toggle(issue.id) : null}
            onIgnore={() => setIgnoring([issue.id])}
            onReopen={() => reopen([issue.id])}
          />
        ))}
      </ul>
      {ignoring.length > 0 && (
        <IgnoreDialog
          crawlerId={crawlerId}
          select={{ ids: [...ignoring] }}
          count={ignoring.length}
          onClose={() => {
            setIgnoring([]);
            setChosen(new Set());
          }}
        />
      )}
    </>
  );
}
