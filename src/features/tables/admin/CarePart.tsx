import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { CareFinding, TableFacts } from '@contract/tables/maintenance';
import type { Site } from '@contract/sites/schemas';
import type { ContentTable } from '@contract/tables/schemas';
import { bytesText } from '@/lib/bytes';
import { useFormat } from '@/lib/format';
import { languageName } from '@/lib/languageName';
import { failureWords, noticeShown } from '@/features/notices/noticesSlice';
import { href } from '@/routes/paths';
import { addressOf } from '@/store/endpoints';
import { isFailure } from '@/store/failure';
import { useAppDispatch } from '@/store/hooks';
import { AnswerState } from '@/ui/AnswerState';
import { Sparkline } from '@/ui/chart/Sparkline';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import { careApi, careCalls, useCheckTablesMutation, useCompactTableMutation, useReindexSearchMutation, useTableFactsQuery } from '../care/careApi';
import { grown, netByDay } from '../care/growth';
import { Tick } from '../parts/controls';
import { download } from '../transfer/download';
import { JobGoing } from './JobGoing';
import { OneTable } from './OneTable';
import { RestoreList } from './RestoreList';

type OfTable = { readonly site: Site; readonly table: ContentTable; readonly facts: TableFacts };

/** A job of maintenance that goes on; when it has ended, the facts are asked anew. */
const Working = ({ jobId, name }: { readonly jobId: string; readonly name: string }): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const dispatch = useAppDispatch();
  return (
    <JobGoing
      jobId={jobId}
      name={name}
      words={{ going: t('care.working'), done: 'care.ended', failed: 'care.failed' }}
      onEnd={() => void dispatch(careApi.util.invalidateTags(['Care']))}
    />
  );
};

const Finding = ({ site, table, finding }: Pick<OfTable, 'site' | 'table'> & { readonly finding: CareFinding }): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const format = useFormat();
  const name = table.fields.find(({ id }) => id === finding.fieldId)?.title ?? t('indexes.gone');
  const said = {
    count: finding.count,
    shown: format.number(finding.count),
    name,
    lang: finding.locale === null ? '' : languageName(finding.locale, format.locale),
  };
  const query = new URLSearchParams({
    table: table.id,
    ...(finding.filter ? { filter: JSON.stringify(finding.filter) } : {}),
    ...(finding.locale === null ? {} : { lang: finding.locale }),
  });
  const to =
    finding.kind === 'slowField'
      ? `?part=indexes&table=${table.id}`
      : finding.kind === 'unusedField'
        ? `${href('site.table.fields', { siteId: site.id })}?table=${table.id}&field=${finding.fieldId ?? ''}`
        : `${href('site.table.records', { siteId: site.id })}?${query.toString()}`;
  return (
    <li>
      <span>
        <b>{t(`care.find.${finding.kind}`, said)}</b>
        <small>{t(`care.why.${finding.kind}`)}</small>
      </span>
      <Button size="small" component={Link} to={to} aria-label={`${t('care.look')}：${t(`care.find.${finding.kind}`, said)}`}>
        {t('care.look')}
      </Button>
    </li>
  );
};

const Act = ({ title, text, children }: { readonly title: string; readonly text: ReactNode; readonly children: ReactNode }): ReactElement => (
  <li>
    <span>
      <b>{title}</b>
      <small>{text}</small>
    </span>
    {children}
  </li>
);

const Care = ({ site, table, facts }: OfTable): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const format = useFormat();
  const dispatch = useAppDispatch();
  const [today] = useState(() => new Date());
  const [bin, setBin] = useState(true);
  const [check, checking] = useCheckTablesMutation();
  const [compact, compacting] = useCompactTableMutation();
  const [reindex, reindexing] = useReindexSearchMutation();
  const of = { siteId: site.id, table: table.id };
  const tell = ({ error }: { readonly error?: unknown }): void => {
    if (!isFailure(error)) return;
    const words = error.code === 'conflict' ? { key: 'tableAdmin:care.converting' } : failureWords(error);
    dispatch(noticeShown({ tone: 'bad', words, requestId: error.requestId }));
  };
  const rows = (count: number): string => (facts.exact ? format.number(count) : t('care.about', { shown: format.number(count) }));
  const { created, removed } = grown(facts.growth);
  const { compacted } = facts;
  const figures: readonly (readonly [string, ReactNode, string?])[] = [
    [t('care.rows'), rows(facts.rows), t('care.binned', { count: facts.binned, shown: rows(facts.binned) })],
    [t('care.data'), bytesText(facts.dataBytes, format)],
    [t('care.indexes'), bytesText(facts.indexBytes, format)],
    [t('care.history'), bytesText(facts.historyBytes, format)],
    [
      t('care.growth'),
      <Sparkline key="line" values={netByDay(facts.growth, facts.rows, today)} width={120} />,
      t('care.grown', { created: format.number(created), removed: format.number(removed) }),
    ],
    [t('care.dead'), format.percent(facts.deadShare), t('care.deadRows', { count: facts.deadRows, shown: format.number(facts.deadRows) })],
    [t('care.last'), facts.lastWriteAt === null ? '—' : format.relative(facts.lastWriteAt)],
  ];
  return (
    <>
      <dl className="admin-facts" aria-label={t('care.figures')}>
        {figures.map(([label, value, small]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {value}
              {small !== undefined && <small>{small}</small>}
            </dd>
          </div>
        ))}
      </dl>
      <Section
        title={t('care.health')}
        note={
          facts.check
            ? t('care.checked', { when: format.relative(facts.check.at), count: facts.check.records, shown: format.number(facts.check.records) })
            : t('care.unchecked')
        }
        actions={
          facts.jobs.check === null ? (
            <Button
              size="small"
              variant="outlined"
              disabled={checking.isLoading}
              onClick={() => void check({ siteId: site.id, body: { table: table.id } }).then(tell)}
            >
              {t('care.check')}
            </Button>
          ) : (
            <Working jobId={facts.jobs.check} name={t('care.health')} />
          )
        }
      >
        {facts.check &&
          (facts.check.findings.length === 0 ? (
            <p className="admin-note">{t('care.well')}</p>
          ) : (
            <ul className="admin-list" aria-label={t('care.health')}>
              {facts.check.findings.map((one) => (
                <Finding key={[one.kind, one.fieldId, one.locale, JSON.stringify(one.filter)].join(' ')} site={site} table={table} finding={one} />
              ))}
            </ul>
          ))}
      </Section>
      <Section title={t('care.upkeep')}>
        <ul className="admin-list">
          <Act
            title={t('care.compact')}
            text={
              compacted
                ? t('care.compacted', {
                    when: format.relative(compacted.at),
                    rows: format.number(Math.max(0, compacted.deadBefore - compacted.deadAfter)),
                    bytes: bytesText(Math.max(0, compacted.bytesBefore - compacted.bytesAfter), format),
                  })
                : t('care.compactText')
            }
          >
            {facts.jobs.compact === null ? (
              <Button size="small" variant="outlined" disabled={compacting.isLoading} onClick={() => void compact(of).then(tell)}>
                {t('care.compactDo')}
              </Button>
            ) : (
              <Working jobId={facts.jobs.compact} name={t('care.compact')} />
            )}
          </Act>
          <Act title={t('care.search')} text={t('care.searchText')}>
            {facts.jobs.search === null ? (
              <Button size="small" variant="outlined" disabled={reindexing.isLoading} onClick={() => void reindex(of).then(tell)}>
                {t('care.searchDo')}
              </Button>
            ) : (
              <Working jobId={facts.jobs.search} name={t('care.search')} />
            )}
          </Act>
          <Act title={t('care.backup')} text={t('care.backupText')}>
            <Tick label={t('care.backupBin')} checked={bin} onChange={setBin} />
            <Button size="small" variant="outlined" onClick={() => download(addressOf(careCalls.backupTable, { ...of, trash: String(bin) }))}>
              {t('care.backupDo')}
            </Button>
          </Act>
        </ul>
      </Section>
    </>
  );
};

/** How a table is: size, growth, health; tidying up; one table as a file and back. */
export default function CarePart({ site, tables }: { readonly site: Site; readonly tables: readonly ContentTable[] }): ReactElement {
  const answer = useTableFactsQuery({ siteId: site.id });
  return (
    <>
      <OneTable siteId={site.id} tables={tables}>
        {(table) => (
          <AnswerState
            answer={answer}
            skeleton={<RowsSkeleton rows={6} />}
            failed={(error, retry, retrying) => <ErrorPanel failure={isFailure(error) ? error : null} onRetry={retry} retrying={retrying} />}
          >
            {(all) => {
              const facts = all.find(({ tableId }) => tableId === table.id);
              return facts ? <Care key={table.id} site={site} table={table} facts={facts} /> : <RowsSkeleton rows={6} />;
            }}
          </AnswerState>
        )}
      </OneTable>
      <div className="admin-restore">
        <RestoreList site={site} tables={tables} />
      </div>
    </>
  );
}
