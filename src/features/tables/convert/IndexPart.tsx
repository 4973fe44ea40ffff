import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Job } from '@contract/jobs/schemas';
import type { Site } from '@contract/sites/schemas';
import type { ContentTable, TableField } from '@contract/tables/schemas';
import { canBeIndexed, canBeUnique, tableLimits } from '@contract/tables/terms';
import { useCancelJobMutation } from '@/features/jobs/jobsApi';
import { selectJobs } from '@/features/jobs/jobsSlice';
import { failureWords, noticeShown } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { isFailure } from '@/store/failure';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { Tick } from '../parts/controls';
import { useSetFieldIndexesMutation } from '../parts/designApi';
import { Duplicates } from './Duplicates';
import './convert.css';

type Flag = 'unique' | 'indexed';
const currentOf = (current: unknown): { readonly values: number | null; readonly jobId: string | null } => {
  const { values = null, jobId = null } = (typeof current === 'object' && current !== null ? current : {}) as { values?: number | null; jobId?: string | null };
  return { values, jobId };
};

/** A build that runs, and the way to stop it. */
const Building = ({ job }: { readonly job: Job }): ReactElement => {
  const { t } = useTranslation('tableConvert');
  const { percent } = useFormat();
  const dispatch = useAppDispatch();
  const [cancel, { isLoading, isSuccess }] = useCancelJobMutation();
  const stop = async () => {
    const { error } = await cancel({ id: job.id });
    if (isFailure(error)) dispatch(noticeShown({ tone: 'bad', words: failureWords(error) }));
  };
  const share = job.total === null || job.total === 0 ? 0 : job.done / job.total;
  return (
    <div className="convert-status">
      <p role="status">
        {t('index.building')} · {percent(share, 0)}
      </p>
      <progress aria-label={t('index.building')} max={1} value={share} />
      <Button size="small" variant="outlined" sx={{ justifySelf: 'start' }} disabled={isLoading || isSuccess} onClick={() => void stop()}>
        {t(isLoading || isSuccess ? 'status.stopping' : 'index.stop')}
      </Button>
    </div>
  );
};

/** Whether values must differ, and whether there is an index; both are built while everybody goes on to write. */
export const IndexPart = ({
  site,
  table,
  field,
  mayDesign,
}: {
  readonly site: Site;
  readonly table: ContentTable;
  readonly field: TableField;
  readonly mayDesign: boolean;
}): ReactElement | null => {
  const { t } = useTranslation('tableConvert');
  const dispatch = useAppDispatch();
  const [change, changing] = useSetFieldIndexesMutation();
  const [asked, setAsked] = useState<{ readonly jobId: string; readonly flag: Flag } | null>(null);
  const [repeated, setRepeated] = useState(0);
  const [full, setFull] = useState(false);
  const [finding, setFinding] = useState(false);
  const jobs = useAppSelector(selectJobs);
  const job = asked && jobs.find(({ id }) => id === asked.jobId);
  const running = job && (job.state === 'queued' || job.state === 'running') ? job : null;
  // A job that nobody has told of yet has only just been made.
  const waiting = asked !== null && (job === undefined || running !== null) && !field[asked.flag];
  const failed = job?.state === 'failed' ? (asked?.flag ?? null) : null;
  const [unique, indexed] = [canBeUnique(field.type), canBeIndexed(field.type)];
  if (!unique && !indexed)
    return field.yields === 'object' || !mayDesign ? null : (
      <section aria-label={t('index.title')}>
        <h3>{t('index.title')}</h3>
        <p className="design-quiet">{t('index.none')}</p>
      </section>
    );
  const set = async (flag: Flag, on: boolean) => {
    setRepeated(0);
    setFull(false);
    setAsked(null);
    const { data, error } = await change({ siteId: site.id, table: table.id, field: field.id, body: { [flag]: on } });
    if (data) {
      if (data.jobId !== null) setAsked({ jobId: data.jobId, flag });
      else if (!on) dispatch(noticeShown({ tone: 'good', words: { key: 'tableConvert:index.off' } }));
      return;
    }
    if (!isFailure(error)) return;
    const { values, jobId } = currentOf(error.current);
    if (error.code === 'conflict' && jobId !== null) setAsked({ jobId, flag });
    else if (error.code === 'conflict' && values !== null) setRepeated(values);
    else if (error.code === 'invalid_fields' && error.fields?.[flag]?.code === 'too_long') setFull(true);
    else dispatch(noticeShown({ tone: 'bad', words: failureWords(error) }));
  };
  const tick = (flag: Flag, may: boolean) =>
    may && (
      <Tick
        label={t(`index.${flag}`)}
        help={t(`index.${flag}Help`)}
        checked={field[flag] || (waiting && asked.flag === flag)}
        disabled={!mayDesign || changing.isLoading || waiting}
        onChange={(on) => void set(flag, on)}
      />
    );
  return (
    <section aria-label={t('index.title')}>
      <h3>{t('index.title')}</h3>
      {tick('unique', unique)}
      {tick('indexed', indexed)}
      {running && <Building job={running} />}
      {failed && (
        <p className="design-quiet" role="alert">
          {t(failed === 'unique' ? 'index.failedDuplicates' : 'index.failed')}
        </p>
      )}
      {full && (
        <p className="design-quiet" role="alert">
          {t('index.full', { max: tableLimits.indexes })}
        </p>
      )}
      {(repeated > 0 || failed === 'unique') && (
        <div className="convert-status">
          {repeated > 0 && <p role="alert">{t('index.duplicates', { count: repeated })}</p>}
          <Button size="small" variant="outlined" sx={{ justifySelf: 'start' }} onClick={() => setFinding(true)}>
            {t('index.find')}
          </Button>
        </div>
      )}
      {finding && <Duplicates site={site} table={table} field={field} onClose={() => setFinding(false)} />}
    </section>
  );
};
