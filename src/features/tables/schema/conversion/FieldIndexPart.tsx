import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Job } from '@contract/jobs/schemas';
import type { Site } from '@contract/sites/schemas';
import type { ContentTable, TableField } from '@contract/tables/schemas';
import { canBeIndexed, canBeUnique, tableLimits } from '@contract/tables/terms';
import { isRunning } from '@/features/jobs/jobsSlice';
import { useJob } from '@/features/jobs/useJob';
import { failureMessage, noticeShown } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { isFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { Tick } from '@/features/tables/parts/controls';
import { useSetFieldIndexesMutation } from '@/features/tables/parts/designApi';
import { JobProgress, shareDone } from '@/ui/JobProgress';
import { DuplicateValues } from './DuplicateValues';
import './conversion.css';

type Flag = 'unique' | 'indexed';
const currentOf = (current: unknown): { readonly values: number | null; readonly jobId: string | null } => {
  const { values = null, jobId = null } = (typeof current === 'object' && current !== null ? current : {}) as { values?: number | null; jobId?: string | null };
  return { values, jobId };
};

/** A running index build, with a button to stop it. */
const Building = ({ job }: { readonly job: Job }): ReactElement => {
  const { t } = useTranslation('tableConvert');
  const { percent } = useFormat();
  const { stop, stopping } = useJob(job.id);
  const share = shareDone(job.done, job.total) ?? 0;
  return (
    <div className="convert-status">
      <JobProgress
        title={t('index.building')}
        share={share}
        detail={percent(share, 0)}
        stop={{ label: t(stopping ? 'status.stopping' : 'index.stop'), busy: stopping, onStop: () => void stop() }}
      />
    </div>
  );
};

/** Switches the indexes of a field; the server builds them with a job, and may refuse. */
function useFieldIndexes(site: Site, table: ContentTable, field: TableField) {
  const dispatch = useAppDispatch();
  const [change, changing] = useSetFieldIndexesMutation();
  const [requested, setRequested] = useState<{ readonly jobId: string; readonly flag: Flag } | null>(null);
  /** Number of values that several records share, which prevent a unique index. */
  const [duplicates, setDuplicates] = useState(0);
  /** The table has reached its maximum number of indexes. */
  const [full, setFull] = useState(false);
  const { job } = useJob(requested?.jobId ?? null);
  const running = job !== undefined && isRunning(job) ? job : null;
  // A job missing from the list has only just been created.
  const building = requested !== null && (job === undefined || running !== null) && !field[requested.flag] ? requested.flag : null;
  const set = async (flag: Flag, on: boolean) => {
    setDuplicates(0);
    setFull(false);
    setRequested(null);
    const { data, error } = await change({ siteId: site.id, table: table.id, field: field.id, body: { [flag]: on } });
    if (data) {
      if (data.jobId !== null) setRequested({ jobId: data.jobId, flag });
      else if (!on) dispatch(noticeShown({ tone: 'good', message: { key: 'tableConvert:index.off' } }));
      return;
    }
    if (!isFailure(error)) return;
    const { values, jobId } = currentOf(error.current);
    if (error.code === 'conflict' && jobId !== null) setRequested({ jobId, flag });
    else if (error.code === 'conflict' && values !== null) setDuplicates(values);
    else if (error.code === 'invalid_fields' && error.fields?.[flag]?.code === 'too_long') setFull(true);
    else dispatch(noticeShown({ tone: 'bad', message: failureMessage(error) }));
  };
  return {
    set,
    changing: changing.isLoading,
    building,
    running,
    failed: job?.state === 'failed' ? (requested?.flag ?? null) : null,
    duplicates,
    full,
  };
}

/** Whether values must be unique, and whether the field is indexed; both indexes are built without blocking writes. */
export const FieldIndexPart = ({
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
  const { set, changing, building, running, failed, duplicates, full } = useFieldIndexes(site, table, field);
  const [finding, setFinding] = useState(false);
  const [unique, indexed] = [canBeUnique(field.type), canBeIndexed(field.type)];
  if (!unique && !indexed)
    return field.yields === 'object' || !mayDesign ? null : (
      <section aria-label={t('index.title')}>
        <h3>{t('index.title')}</h3>
        <p className="design-quiet">{t('index.none')}</p>
      </section>
    );
  const tick = (flag: Flag, may: boolean) =>
    may && (
      <Tick
        label={t(`index.${flag}`)}
        help={t(`index.${flag}Help`)}
        checked={field[flag] || building === flag}
        disabled={!mayDesign || changing || building !== null}
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
      {(duplicates > 0 || failed === 'unique') && (
        <div className="convert-status">
          {duplicates > 0 && <p role="alert">{t('index.duplicates', { count: duplicates })}</p>}
          <Button variant="outlined" sx={{ justifySelf: 'start' }} onClick={() => setFinding(true)}>
            {t('index.find')}
          </Button>
        </div>
      )}
      {finding && <DuplicateValues site={site} table={table} field={field} onClose={() => setFinding(false)} />}
    </section>
  );
};
