import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { TableAdvice } from '@contract/tables/indexes';
import type { ContentTable } from '@contract/tables/schemas';
import { bytesText } from '@/lib/bytes';
import { failureWords, noticeShown } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { isFailure } from '@/store/failure';
import { useAppDispatch } from '@/store/hooks';
import { AnswerState } from '@/ui/AnswerState';
import { useConfirm } from '@/ui/confirmContext';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Icon } from '@/ui/Icon';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import { useTableWords } from '../records/useTableWords';
import { useSetFieldIndexesMutation } from '../parts/designApi';
import { adminApi, useTableAdviceQuery } from './adminApi';
import { JobGoing } from './JobGoing';
import { OneTable } from './OneTable';
import { Scroll } from './Scroll';

type OfTable = { readonly siteId: string; readonly table: ContentTable };
type Shape = TableAdvice['shapes'][number];

/** Milliseconds as people say them: 12 ms, 3.4 s. */
function useTimeWords() {
  const { t } = useTranslation('tableAdmin');
  const format = useFormat();
  return (ms: number): string =>
    ms < 1000
      ? t('indexes.ms', { n: ms < 10 ? format.decimal(ms, 1) : format.number(Math.round(ms)) })
      : t('indexes.seconds', { n: format.decimal(ms / 1000, 1) });
}

/** “Filtered by title and price; sorted by date”: a question without its values. */
function useShapeWords(table: ContentTable) {
  const { t } = useTranslation('tableAdmin');
  const words = useTableWords(table);
  const name = (id: string): string => {
    const known = words.column(id);
    return known === id ? t('indexes.gone') : known;
  };
  const list = (ids: readonly string[]): string => [...new Set(ids.map(name))].join(t('comma'));
  return ({ filter, sort }: Pick<Shape, 'filter' | 'sort'>): string => {
    if (filter.length > 0 && sort.length > 0) return t('indexes.both', { filter: list(filter), sort: list(sort) });
    if (filter.length > 0) return t('indexes.filterBy', { fields: list(filter) });
    return sort.length > 0 ? t('indexes.sortBy', { fields: list(sort) }) : t('indexes.plain');
  };
}

/** An index that is being built; when that has ended, everything here is asked anew. */
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
  return <JobGoing jobId={jobId} name={name} words={{ going: t('indexes.building'), done: 'indexes.built', failed: 'indexes.buildFailed' }} onEnd={ended} />;
};

const Advice = ({ siteId, table, advice }: OfTable & { readonly advice: TableAdvice }): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const format = useFormat();
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const time = useTimeWords();
  const shapeWords = useShapeWords(table);
  const [set, { isLoading }] = useSetFieldIndexesMutation();
  // Jobs that this screen started, until the server names them itself.
  const [started, setStarted] = useState<Readonly<Record<string, string>>>({});
  const titleOf = (id: string): string => table.fields.find((one) => one.id === id)?.title ?? t('indexes.gone');
  const jobOf = (id: string): string | undefined => advice.building.find(({ fieldId }) => fieldId === id)?.jobId ?? started[id];
  const forget = (id: string) => setStarted(({ [id]: _ended, ...others }) => others);
  const full = advice.used >= advice.most;
  const say = (error: unknown) => {
    if (isFailure(error)) dispatch(noticeShown({ tone: 'bad', words: failureWords(error), requestId: error.requestId }));
  };
  const build = async (fieldId: string) => {
    const { data, error } = await set({ siteId, table: table.id, field: fieldId, body: { indexed: true } });
    if (data) {
      if (data.jobId !== null) setStarted({ ...started, [fieldId]: data.jobId });
      dispatch(noticeShown({ words: { key: 'tableAdmin:indexes.started', values: { name: titleOf(fieldId) } } }));
    } else say(error);
  };
  const drop = async (fieldId: string) => {
    const name = titleOf(fieldId);
    if (!(await confirm({ title: t('indexes.dropTitle', { name }), body: t('indexes.dropText'), confirm: t('indexes.drop'), danger: true }))) return;
    const { data, error } = await set({ siteId, table: table.id, field: fieldId, body: { indexed: false } });
    if (data) dispatch(noticeShown({ tone: 'good', words: { key: 'tableAdmin:indexes.dropped', values: { name } } }));
    else say(error);
  };
  const wanted = advice.wanted.filter(({ fieldId }) => table.fields.some(({ id }) => id === fieldId));
  const elsewhere = [...new Set([...advice.building.map(({ fieldId }) => fieldId), ...Object.keys(started)])].filter(
    (id) => !wanted.some(({ fieldId }) => fieldId === id) && jobOf(id) !== undefined && !advice.indexes.some(({ fieldId }) => fieldId === id),
  );
  const facts = [
    [t('indexes.rows'), format.number(advice.rows)],
    [t('indexes.tableSize'), bytesText(advice.tableBytes, format)],
    [t('indexes.indexSize'), bytesText(advice.indexBytes, format)],
    [t('indexes.count'), t('indexes.of', { used: format.number(advice.used), most: format.number(advice.most) })],
  ] as const;
  return (
    <>
      <dl className="admin-facts" aria-label={t('indexes.figures')}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Section title={t('indexes.wanted')} {...(wanted.length > 0 && { note: t('indexes.wantedNote') })}>
        {wanted.length + elsewhere.length === 0 && <p className="admin-note">{t('indexes.wantedNone')}</p>}
        {full && wanted.length > 0 && <p className="admin-note">{t('indexes.full')}</p>}
        {wanted.length + elsewhere.length > 0 && (
          <ul className="admin-list">
            {wanted.map(({ fieldId, count, totalMs }) => {
              const jobId = jobOf(fieldId);
              const name = titleOf(fieldId);
              return (
                <li key={fieldId}>
                  <span>
                    <b>{name}</b>
                    <small>{t('indexes.wantedText', { count, time: time(totalMs) })}</small>
                  </span>
                  {jobId === undefined ? (
                    <Button
                      variant="outlined"
                      size="small"
                      disabled={full || isLoading}
                      aria-label={t('indexes.buildNamed', { name })}
                      onClick={() => void build(fieldId)}
                    >
                      {t('indexes.build')}
                    </Button>
                  ) : (
                    <Building siteId={siteId} table={table} jobId={jobId} name={name} onEnd={() => forget(fieldId)} />
                  )}
                </li>
              );
            })}
            {elsewhere.map((fieldId) => (
              <li key={fieldId}>
                <b>{titleOf(fieldId)}</b>
                <Building siteId={siteId} table={table} jobId={jobOf(fieldId) ?? ''} name={titleOf(fieldId)} onEnd={() => forget(fieldId)} />
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section title={t('indexes.existing')}>
        {advice.indexes.length === 0 ? (
          <p className="admin-note">{t('indexes.existingNone')}</p>
        ) : (
          <Scroll label={t('indexes.existing')}>
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
                    <th scope="row">{titleOf(one.fieldId)}</th>
                    <td>{t(`indexes.kindOf.${one.kind}`)}</td>
                    <td data-number="">{bytesText(one.bytes, format)}</td>
                    <td data-number="">{format.number(one.scans)}</td>
                    <td>{one.since === null ? '—' : format.date(one.since, { weekday: false })}</td>
                    <td {...(one.unused && { className: 'admin-warn' })}>
                      {t(one.unused ? 'indexes.unused' : one.kind === 'unique' ? 'indexes.keeps' : one.scans === 0 ? 'indexes.notYet' : 'indexes.inUse')}
                    </td>
                    <td className="admin-acts">
                      {one.kind === 'indexed' && (
                        <Button
                          size="small"
                          disabled={isLoading}
                          aria-label={t('indexes.dropNamed', { name: titleOf(one.fieldId) })}
                          onClick={() => void drop(one.fieldId)}
                        >
                          {t('indexes.drop')}
                        </Button>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
        )}
      </Section>
      <Section title={t('indexes.questions')} note={t('indexes.questionsNote')}>
        {advice.shapes.length === 0 ? (
          <p className="admin-note">{t('indexes.questionsNone')}</p>
        ) : (
          <Scroll label={t('indexes.questions')}>
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
                      {shapeWords(shape)}
                      {shape.slow && (
                        <span className="admin-mark">
                          <Icon name="warning" size={12} />
                          {t('indexes.slow')}
                        </span>
                      )}
                      {shape.helps.length > 0 && shape.helps.every(({ exists }) => exists) && <span className="admin-mark">{t('indexes.helped')}</span>}
                    </th>
                    <td data-number="">{format.number(shape.count)}</td>
                    <td data-number="">{time(shape.meanMs)}</td>
                    <td data-number="">{time(shape.worstMs)}</td>
                    <td title={format.dateTime(shape.lastAt)}>{format.relative(shape.lastAt)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
        )}
      </Section>
    </>
  );
};

const Loaded = ({ siteId, table }: OfTable): ReactElement => {
  const answer = useTableAdviceQuery({ siteId, table: table.id });
  return (
    <AnswerState
      answer={answer}
      skeleton={<RowsSkeleton rows={8} />}
      failed={(error, retry, retrying) => <ErrorPanel failure={isFailure(error) ? error : null} onRetry={retry} retrying={retrying} />}
    >
      {(advice) => <Advice siteId={siteId} table={table} advice={advice} />}
    </AnswerState>
  );
};

/** What questions to a table cost, which index would help, which nobody needs. */
export default function IndexesPart({ siteId, tables }: { readonly siteId: string; readonly tables: readonly ContentTable[] }): ReactElement {
  return (
    <OneTable siteId={siteId} tables={tables}>
      {(table) => <Loaded key={table.id} siteId={siteId} table={table} />}
    </OneTable>
  );
}
