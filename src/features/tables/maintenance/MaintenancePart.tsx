import { Button } from '@mui/material';
import { Fragment, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { MaintenanceFinding, TableFacts } from '@contract/tables/maintenance';
import type { Site } from '@contract/sites/schemas';
import type { ContentTable } from '@contract/tables/schemas';
import { bytesText } from '@/lib/bytes';
import { useFormat } from '@/lib/format';
import { languageName } from '@/lib/languageName';
import { failureMessage, noticeShown } from '@/features/notices/noticesSlice';
import { href } from '@/routes/paths';
import { addressOf } from '@/store/endpoints';
import { isFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { ResultState } from '@/ui/ResultState';
import { Sparkline } from '@/ui/chart/Sparkline';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import {
  maintenanceApi,
  maintenanceCalls,
  useCheckTablesMutation,
  useCompactTableMutation,
  useReindexSearchMutation,
  useTableFactsQuery,
} from './growth/maintenanceApi';
import { growthTotals, netByDay } from './growth/growth';
import { Tick } from '@/features/tables/parts/controls';
import { download } from '@/features/tables/transfer/download';
import { MaintenanceJob } from './MaintenanceJob';
import { TableChooser } from './TableChooser';
import { RestoreList } from './RestoreList';

type OfTable = { readonly site: Site; readonly table: ContentTable; readonly facts: TableFacts };

/** A running maintenance job; the facts are refetched when it ends. */
const RunningJob = ({ jobId, name }: { readonly jobId: string; readonly name: string }): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const dispatch = useAppDispatch();
  return (
    <MaintenanceJob
      jobId={jobId}
      name={name}
      labels={{ going: t('maintenance.working'), done: 'maintenance.ended', failed: 'maintenance.failed' }}
      onEnd={() => void dispatch(maintenanceApi.util.invalidateTags(['Maintenance']))}
    />
  );
};

const Finding = ({ site, table, finding }: Pick<OfTable, 'site' | 'table'> & { readonly finding: MaintenanceFinding }): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const format = useFormat();
  const name = table.fields.find(({ id }) => id === finding.fieldId)?.title ?? t('indexes.gone');
  const values = {
    count: finding.count,
    countText: format.number(finding.count),
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
        <b>{t(`maintenance.find.${finding.kind}`, values)}</b>
        <small>{t(`maintenance.why.${finding.kind}`)}</small>
      </span>
      <Button component={Link} to={to} aria-label={t('maintenance.lookAt', { finding: t(`maintenance.find.${finding.kind}`, values) })}>
        {t('maintenance.look')}
      </Button>
    </li>
  );
};

const Task = ({ title, text, children }: { readonly title: string; readonly text: ReactNode; readonly children: ReactNode }): ReactElement => (
  <li>
    <span>
      <b>{title}</b>
      <small>{text}</small>
    </span>
    {children}
  </li>
);

/** Shows why a job could not be started. */
function useStartNotice(): (result: { readonly error?: unknown }) => void {
  const dispatch = useAppDispatch();
  return ({ error }) => {
    if (!isFailure(error)) return;
    const message = error.code === 'conflict' ? { key: 'tableAdmin:maintenance.converting' } : failureMessage(error);
    dispatch(noticeShown({ tone: 'bad', message, requestId: error.requestId }));
  };
}

/** Size, growth and dead rows of a table. */
const Figures = ({ facts }: { readonly facts: TableFacts }): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const format = useFormat();
  const [today] = useState(() => new Date());
  const rows = (count: number): string => (facts.exact ? format.number(count) : t('maintenance.about', { countText: format.number(count) }));
  const { created, removed } = growthTotals(facts.growth);
  const figures: readonly (readonly [string, ReactNode, string?])[] = [
    [t('maintenance.rows'), rows(facts.rows), t('maintenance.binned', { count: facts.binned, countText: rows(facts.binned) })],
    [t('maintenance.data'), bytesText(facts.dataBytes, format)],
    [t('maintenance.indexes'), bytesText(facts.indexBytes, format)],
    [t('maintenance.history'), bytesText(facts.historyBytes, format)],
    [
      t('maintenance.growth'),
      <Sparkline key="line" values={netByDay(facts.growth, facts.rows, today)} width={120} />,
      t('maintenance.grown', { created: format.number(created), removed: format.number(removed) }),
    ],
    [t('maintenance.dead'), format.percent(facts.deadShare), t('maintenance.deadRows', { count: facts.deadRows, countText: format.number(facts.deadRows) })],
    [t('maintenance.last'), facts.lastWriteAt === null ? '—' : format.relative(facts.lastWriteAt)],
  ];
  return (
    <dl className="admin-facts" aria-label={t('maintenance.figures')}>
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
  );
};

/** Result of the last check, and a button for the next one. */
const Health = ({ site, table, facts }: OfTable): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const format = useFormat();
  const notify = useStartNotice();
  const [check, checking] = useCheckTablesMutation();
  return (
    <Section
      title={t('maintenance.health')}
      note={
        facts.check
          ? t('maintenance.checked', { when: format.relative(facts.check.at), count: facts.check.records, countText: format.number(facts.check.records) })
          : t('maintenance.unchecked')
      }
      actions={
        facts.jobs.check === null ? (
          <Button variant="outlined" disabled={checking.isLoading} onClick={() => void check({ siteId: site.id, body: { table: table.id } }).then(notify)}>
            {t('maintenance.check')}
          </Button>
        ) : (
          <RunningJob jobId={facts.jobs.check} name={t('maintenance.health')} />
        )
      }
    >
      {facts.check &&
        (facts.check.findings.length === 0 ? (
          <p className="admin-note">{t('maintenance.well')}</p>
        ) : (
          <ul className="admin-list" aria-label={t('maintenance.health')}>
            {facts.check.findings.map((one) => (
              <Finding key={[one.kind, one.fieldId, one.locale, JSON.stringify(one.filter)].join(' ')} site={site} table={table} finding={one} />
            ))}
          </ul>
        ))}
    </Section>
  );
};

/** Compaction, search index, and backup of a table. */
const Upkeep = ({ site, table, facts }: OfTable): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const format = useFormat();
  const notify = useStartNotice();
  const [bin, setBin] = useState(true);
  const [compact, compacting] = useCompactTableMutation();
  const [reindex, reindexing] = useReindexSearchMutation();
  const of = { siteId: site.id, table: table.id };
  const { compacted } = facts;
  return (
    <Section title={t('maintenance.upkeep')}>
      <ul className="admin-list">
        <Task
          title={t('maintenance.compact')}
          text={
            compacted
              ? t('maintenance.compacted', {
                  when: format.relative(compacted.at),
                  rows: format.number(Math.max(0, compacted.deadBefore - compacted.deadAfter)),
                  bytes: bytesText(Math.max(0, compacted.bytesBefore - compacted.bytesAfter), format),
                })
              : t('maintenance.compactText')
          }
        >
          {facts.jobs.compact === null ? (
            <Button variant="outlined" disabled={compacting.isLoading} onClick={() => void compact(of).then(notify)}>
              {t('maintenance.compactDo')}
            </Button>
          ) : (
            <RunningJob jobId={facts.jobs.compact} name={t('maintenance.compact')} />
          )}
        </Task>
        <Task title={t('maintenance.search')} text={t('maintenance.searchText')}>
          {facts.jobs.search === null ? (
            <Button variant="outlined" disabled={reindexing.isLoading} onClick={() => void reindex(of).then(notify)}>
              {t('maintenance.searchDo')}
            </Button>
          ) : (
            <RunningJob jobId={facts.jobs.search} name={t('maintenance.search')} />
          )}
        </Task>
        <Task title={t('maintenance.backup')} text={t('maintenance.backupText')}>
          <Tick label={t('maintenance.backupBin')} checked={bin} onChange={setBin} />
          <Button variant="outlined" onClick={() => download(addressOf(maintenanceCalls.backupTable, { ...of, trash: String(bin) }))}>
            {t('maintenance.backupDo')}
          </Button>
        </Task>
      </ul>
    </Section>
  );
};

/** Size, growth and health of a table, its upkeep and backup, and tables restored from files. */
export default function MaintenancePart({ site, tables }: { readonly site: Site; readonly tables: readonly ContentTable[] }): ReactElement {
  const result = useTableFactsQuery({ siteId: site.id });
  return (
    <>
      <TableChooser siteId={site.id} tables={tables}>
        {(table) => (
          <ResultState result={result} skeleton={<RowsSkeleton rows={6} />}>
            {(all) => {
              const facts = all.find(({ tableId }) => tableId === table.id);
              if (!facts) return <RowsSkeleton rows={6} />;
              return (
                <Fragment key={table.id}>
                  <Figures facts={facts} />
                  <Health site={site} table={table} facts={facts} />
                  <Upkeep site={site} table={table} facts={facts} />
                </Fragment>
              );
            }}
          </ResultState>
        )}
      </TableChooser>
      <div className="admin-restore">
        <RestoreList site={site} tables={tables} />
      </div>
    </>
  );
}
