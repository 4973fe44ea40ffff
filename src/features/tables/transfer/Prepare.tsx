import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { TableImport } from '@contract/tables/transfers';
import type { ContentTable } from '@contract/tables/schemas';
import { useDraft } from '@/features/session/useDraft';
import { isFailure } from '@/store/failure';
import type { ApiFailure } from '@/store/failure';
import { RowsSkeleton } from '@/ui/skeletons';
import type { Step } from './address';
import { CheckStep } from './CheckStep';
import { firstMapping, fitted, planOf, triedText } from './mapping';
import type { Mapping } from './mapping';
import { MapStep } from './MapStep';
import { Refused, StepFrame } from './pieces';
import { ReadStep } from './ReadStep';
import { useLookTableImportQuery, useStartTableImportMutation } from './transferApi';
import { isBusy } from './useImport';

/** Everything before an import: how the file is read, where its columns go, and the dry run. What is chosen is kept until it is done. */
export const Prepare = ({
  siteId,
  table,
  tables,
  it,
  put,
  step,
  design,
  onStep,
  onAnother,
}: {
  readonly siteId: string;
  readonly table: ContentTable | null;
  readonly tables: readonly ContentTable[];
  readonly it: TableImport;
  readonly put: (it: TableImport) => void;
  readonly step: Step;
  /** May make tables, fields and choices. */ readonly design: boolean;
  readonly onStep: (step: Step | '') => void;
  readonly onAnother: () => void;
}): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const { restored, keep, drop } = useDraft<Mapping>(`table-import:${it.id}`);
  const [mapping, setMapping] = useState<Mapping>(() => restored ?? firstMapping(it.plan, it.file.name, design));
  const [start, starting] = useStartTableImportMutation();
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const busy = isBusy(it);
  const answer = useLookTableImportQuery({ siteId, id: it.id, body: mapping.read }, { skip: busy });
  // While another way of reading is tried, the one before stays in sight.
  const look = answer.currentData ?? (answer.isFetching ? answer.data : undefined);
  const fit = look ? fitted(mapping, look, it.plan, table) : mapping;
  const choose = (change: Partial<Mapping>): void => {
    // What has been tried is what it was before the first change.
    const tried = fit.tried ?? (it.state === 'checked' && look ? triedText(fit, look) : null);
    const next = { ...fit, tried, ...change };
    setFailure(null);
    setMapping(next);
    keep(next);
  };
  const run = async (dryRun: boolean): Promise<void> => {
    if (!look) return;
    setFailure(null);
    const body = { plan: planOf(fit, look), dryRun, ...(it.tableId === null ? { title: fit.title.trim() } : {}) };
    const { data, error } = await start({ siteId, id: it.id, body });
    if (data === undefined) return setFailure(isFailure(error) ? error : null);
    if (dryRun) choose({ tried: triedText(fit, look) });
    else drop();
    put(data);
    return onStep('');
  };
  const shared = { siteId, table, it, mapping: fit, choose, design, starting: starting.isLoading };
  const nameOf = (path: string): string | null => {
    if (path === 'title') return t('map.tableTitle');
    const at = /columns\.(\d+)/.exec(path)?.[1];
    const place = at === undefined || !look ? undefined : planOf(fit, look).columns[Number(at)]?.column;
    return look?.columns.find(({ column }) => column === place)?.name ?? null;
  };
  const failed = failure && <Refused title={t('failed')} failure={failure} nameOf={nameOf} />;

  if (step === 'check')
    return (
      <CheckStep
        {...shared}
        tables={tables}
        look={look ?? null}
        changed={look !== undefined && fit.tried !== null && fit.tried !== triedText(fit, look)}
        failed={failed}
        put={put}
        run={run}
        onBack={() => onStep('map')}
      />
    );
  if (look === undefined) {
    const lookFailure = isFailure(answer.error) ? answer.error : null;
    return (
      <StepFrame
        actions={
          <>
            {Object.keys(mapping.read).length > 0 && <Button onClick={() => choose({ read: {} })}>{t('back')}</Button>}
            <Button onClick={onAnother}>{t('read.other')}</Button>
          </>
        }
      >
        {lookFailure ? (
          <Refused title={t('read.unreadable')} failure={lookFailure} onRetry={() => void answer.refetch()} retrying={answer.isFetching} />
        ) : (
          <>
            <span role="status" className="only-read">
              {t('read.loading')}
            </span>
            <RowsSkeleton rows={8} />
          </>
        )}
      </StepFrame>
    );
  }
  return step === 'map' ? (
    <MapStep {...shared} tables={tables} look={look} failed={failed} onBack={() => onStep('read')} onNext={() => void run(true)} />
  ) : (
    <ReadStep {...shared} look={look} loading={answer.isFetching} onAnother={onAnother} onNext={() => onStep('map')} />
  );
};
