import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { TableAdvice } from '@contract/tables/indexes';
import type { ContentTable } from '@contract/tables/schemas';
import { bytesText } from '@/lib/bytes';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { useAppDispatch } from '@/store/hooks';
import { ResultState } from '@/ui/ResultState';
import { Tag } from '@/ui/Tag';
import { useConfirm } from '@/ui/confirmContext';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import { useFailureNotice } from '@/features/tables/useFailureNotice';
import { useTableLabels } from '@/features/tables/records/useTableLabels';
import { useSetFieldIndexesMutation } from '@/features/tables/parts/designApi';
import { adminApi, useTableAdviceQuery } from './adminApi';
import { MaintenanceJob } from './MaintenanceJob';
import { TableChooser } from './TableChooser';
import { ScrollRegion } from './ScrollRegion';

type OfTable = { readonly siteId: string; readonly table: ContentTable };
type WithAdvice = OfTable & { readonly advice: TableAdvice };
type Shape = TableAdvice['shapes'][number];

/** Formats milliseconds for people: 12 ms, 3.4 s. */
function useDurationLabel() {
  const { t } = useTranslation('tableAdmin');
  const format = useFormat();
  return (ms: number): string =>
    ms < 1000
      ? t('indexes.ms', { n: ms < 10 ? format.decimal(ms, 1) : format.number(Math.round(ms)) })
      : t('indexes.seconds', { n: format.decimal(ms / 1000, 1) });
}

/** A query without its values: “Filtered by title and price; sorted by date”. */
function useShapeLabel(table: ContentTable) {
  const { t } = useTranslation('tableAdmin');
  const tableLabels = useTableLabels(table);
  const name = (id: string): string => {
    const known = tableLabels.column(id);
    return known === id ? t('indexes.gone') : known;
  };
  const list = (ids: readonly string[]): string => [...new Set(ids.map(name))].join(t('comma'));
  return ({ filter, sort }: Pick<Shape, 'filter' | 'sort'>): string => {
    if (filter.length > 0 && sort.length > 0) return t('indexes.both', { filter: list(filter), sort: list(sort) });
    if (filter.length > 0) return t('indexes.filterBy', { fields: list(filter) });
    return sort.length > 0 ? t('indexes.sortBy', { fields: list(sort) }) : t('indexes.plain');
  };
}

/** An index being built; the advice is refetched when the job ends. */
const Building = ({
  siteId,
  table,
  jobId,
  name,
  onEnd,
}: OfTable & { readonly jobId: string; readonly name: string; readonly onEnd: () => void }): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const dispatch = useAppDispatch();
  const ended = (): void => {
    onEnd();
    dispatch(
      adminApi.util.invalidateTags([
        { type: 'Advice', id: table.id },
        { type: 'Table', id: siteId },
      ]),
    );
  };
  return (
    <MaintenanceJob jobId={jobId} name={name} labels={{ going: t('indexes.building'), done: 'indexes.built', failed: 'indexes.buildFailed' }} onEnd={ended} />
  );
};

/** The title of a field, or a message that it was removed. */
function useFieldTitle(table: ContentTable): (id: string) => string {
  const { t } = useTranslation('tableAdmin');
  return (id) => table.fields.find((field) => field.id === id)?.title ?? t('indexes.gone');
}

/** Builds and drops indexes. Building is a job: `jobOf` returns its id from the moment it was started here. */
function useIndexChanges({ siteId, table, advice }: WithAdvice) {
  const { t } = useTranslation('tableAdmin');
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const notifyFailure = useFailureNotice();
  const fieldTitle = useFieldTitle(table);
  const [set, { isLoading }] = useSetFieldIndexesMutation();
  // Jobs that this screen started, until the server reports them.
  const [started, setStarted] = useState<Readonly<Record<string, string>>>({});
  return {
    changing: isLoading,
    /** Fields whose index is being built. */
    building: [...new Set([...advice.building.map(({ fieldId }) => fieldId), ...Object.keys(started)])],
    jobOf: (id: string): string | undefined => advice.building.find(({ fieldId }) => fieldId === id)?.jobId ?? started[id],
    forget: (id: string): void => setStarted(({ [id]: _ended, ...others }) => others),
    build: async (fieldId: string): Promise<void> => {
      const { data, error } = await set({ siteId, table: table.id, field: fieldId, body: { indexed: true } });
      if (!data) return notifyFailure(error);
      const { jobId } = data;
      if (jobId !== null) setStarted((before) => ({ ...before, [fieldId]: jobId }));
      dispatch(noticeShown({ message: { key: 'tableAdmin:indexes.started', values: { name: fieldTitle(fieldId) } } }));
      return undefined;
    },
    drop: async (fieldId: string): Promise<void> => {
      const name = fieldTitle(fieldId);
      if (!(await confirm({ title: t('indexes.dropTitle', { name }), body: t('indexes.dropText'), confirm: t('indexes.drop'), danger: true }))) return;
      const { data, error } = await set({ siteId, table: table.id, field: fieldId, body: { indexed: false } });
      if (data) dispatch(noticeShown({ tone: 'good', message: { key: 'tableAdmin:indexes.dropped', values: { name } } }));
      else notifyFailure(error);
    },
  };
}
type IndexChanges = ReturnType<typeof useIndexChanges>;

/** The size of the table, and how many of its indexes are used. */
const Figures = ({ advice }: { readonly advice: TableAdvice }): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const format = useFormat();
  const figures = [
    [t('indexes.rows'), format.number(advice.rows)],
    [t('indexes.tableSize'), bytesText(advice.tableBytes, format)],
    [t('indexes.indexSize'), bytesText(advice.indexBytes, format)],
    [t('indexes.count'), t('indexes.of', { used: format.number(advice.used), most: format.number(advice.most) })],
  ] as const;
  return (
    <dl className="admin-facts" aria-label={t('indexes.figures')}>
      {figures.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
};

/** Recommended indexes, and those being built. */
const HelpfulIndexes = ({ siteId, table, advice, changes }: WithAdvice & { readonly changes: IndexChanges }): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const duration = useDurationLabel();
  const fieldTitle = useFieldTitle(table);
  const { changing, building, jobOf, forget, build } = changes;
  const full = advice.used >= advice.most;
  const helpful = advice.suggested.filter(({ fieldId }) => table.fields.some(({ id }) => id === fieldId));
  const others = building.filter((id) => !helpful.some(({ fieldId }) => fieldId === id) && !advice.indexes.some(({ fieldId }) => fieldId === id));
  const progress = (fieldId: string, jobId: string): ReactElement => (
    <Building siteId={siteId} table={table} jobId={jobId} name={fieldTitle(fieldId)} onEnd={() => forget(fieldId)} />
  );
  return (
    <Section title={t('indexes.missing')} {...(helpful.length > 0 && { note: t('indexes.missingNote') })}>
      {helpful.length + others.length === 0 && <p className="admin-note">{t('indexes.missingNone')}</p>}
      {full && helpful.length > 0 && <p className="admin-note">{t('indexes.full')}</p>}
      {helpful.length + others.length > 0 && (
        <ul className="admin-list">
          {helpful.map(({ fieldId, count, totalMs }) => {
            const jobId = jobOf(fieldId);
            const name = fieldTitle(fieldId);
            return (
              <li key={fieldId}>
                <span>
                  <b>{name}</b>
                  <small>{t('indexes.missingText', { count, time: duration(totalMs) })}</small>
                </span>
                {jobId === undefined ? (
                  <Button variant="outlined" disabled={full || changing} aria-label={t('indexes.buildNamed', { name })} onClick={() => void build(fieldId)}>
                    {t('indexes.build')}
                  </Button>
                ) : (
                  progress(fieldId, jobId)
                )}
              </li>
            );
          })}
          {others.map((fieldId) => (
            <li key={fieldId}>
              <b>{fieldTitle(fieldId)}</b>
              {progress(fieldId, jobOf(fieldId) ?? '')}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
};

/** Existing indexes: their size, usage, and whether they are needed. */
const ExistingIndexes = ({ table, advice, changes: { changing, drop } }: Omit<WithAdvice, 'siteId'> & { readonly changes: IndexChanges }): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const format = useFormat();
  const fieldTitle = useFieldTitle(table);
  return (
    <Section title={t('indexes.existing')}>
      {advice.indexes.length === 0 ? (
        <p className="admin-note">{t('indexes.existingNone')}</p>
      ) : (
        <ScrollRegion label={t('indexes.existing')}>
          <table className="admin-table">
            <thead>
              <tr>
                <th scope="col">{t('indexes.field')}</th>
                <th scope="col">{t('indexes.kind')}</th>
                <th scope="col" data-number="">
                  {t('indexes.size')}
                </th>
                <th scope="col" data-number="">
                  {t('indexes.scans')}
                </th>
                <th scope="col">{t('indexes.since')}</th>
                <th scope="col">{t('indexes.state')}</th>
                <th scope="col">
                  <span className="only-read">{t('indexes.act')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {advice.indexes.map((one) => (
                <tr key={`${one.fieldId} ${one.kind}`}>
                  <th scope="row">{fieldTitle(one.fieldId)}</th>
                  <td>{t(`indexes.kindOf.${one.kind}`)}</td>
                  <td data-number="">{bytesText(one.bytes, format)}</td>
                  <td data-number="">{format.number(one.scans)}</td>
                  <td>{one.since === null ? '—' : format.date(one.since, { weekday: false })}</td>
                  <td {...(one.unused && { className: 'admin-warn' })}>
                    {t(one.unused ? 'indexes.unused' : one.kind === 'unique' ? 'indexes.keeps' : one.scans === 0 ? 'indexes.notYet' : 'indexes.inUse')}
                  </td>
                  <td className="admin-acts">
                    {one.kind === 'indexed' && (
                      <Button disabled={changing} aria-label={t('indexes.dropNamed', { name: fieldTitle(one.fieldId) })} onClick={() => void drop(one.fieldId)}>
                        {t('indexes.drop')}
                      </Button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </Section>
  );
};

/** The most frequent queries of the table, and their duration. */
const QueryShapes = ({ table, advice }: Omit<WithAdvice, 'siteId'>): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const format = useFormat();
  const duration = useDurationLabel();
  const shapeLabel = useShapeLabel(table);
  return (
    <Section title={t('indexes.questions')} note={t('indexes.questionsNote')}>
      {advice.shapes.length === 0 ? (
        <p className="admin-note">{t('indexes.questionsNone')}</p>
      ) : (
        <ScrollRegion label={t('indexes.questions')}>
          <table className="admin-table">
            <thead>
              <tr>
                <th scope="col">{t('indexes.question')}</th>
                <th scope="col" data-number="">
                  {t('indexes.times')}
                </th>
                <th scope="col" data-number="">
                  {t('indexes.mean')}
                </th>
                <th scope="col" data-number="">
                  {t('indexes.worst')}
                </th>
                <th scope="col">{t('indexes.last')}</th>
              </tr>
            </thead>
            <tbody>
              {advice.shapes.map((shape) => (
                <tr key={[...shape.filter, '|', ...shape.sort].join()}>
                  <th scope="row">
                    {shapeLabel(shape)}
                    {shape.slow && <Tag tone="warning">{t('indexes.slow')}</Tag>}
                    {shape.helps.length > 0 && shape.helps.every(({ exists }) => exists) && <Tag>{t('indexes.helped')}</Tag>}
                  </th>
                  <td data-number="">{format.number(shape.count)}</td>
                  <td data-number="">{duration(shape.meanMs)}</td>
                  <td data-number="">{duration(shape.worstMs)}</td>
                  <td title={format.dateTime(shape.lastAt)}>{format.relative(shape.lastAt)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </Section>
  );
};

const Advice = (of: WithAdvice): ReactElement => {
  const changes = useIndexChanges(of);
  return (
    <>
      <Figures advice={of.advice} />
      <HelpfulIndexes {...of} changes={changes} />
      <ExistingIndexes table={of.table} advice={of.advice} changes={changes} />
      <QueryShapes table={of.table} advice={of.advice} />
    </>
  );
};

const Loaded = ({ siteId, table }: OfTable): ReactElement => {
  const result = useTableAdviceQuery({ siteId, table: table.id });
  return (
    <ResultState result={result} skeleton={<RowsSkeleton rows={8} />}>
      {(advice) => <Advice siteId={siteId} table={table} advice={advice} />}
    </ResultState>
  );
};

/** What the queries of a table cost, which indexes would help, and which are unused. */
export default function IndexesPart({ siteId, tables }: { readonly siteId: string; readonly tables: readonly ContentTable[] }): ReactElement {
  return (
    <TableChooser siteId={siteId} tables={tables}>
      {(table) => <Loaded key={table.id} siteId={siteId} table={table} />}
    </TableChooser>
  );
}
