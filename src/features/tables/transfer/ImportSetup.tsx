import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportLook, ImportPlanInput, TableImport } from '@contract/tables/transfers';
import type { ContentTable } from '@contract/tables/schemas';
import { useDraft } from '@/features/session/useDraft';
import { isFailure } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { RowsSkeleton } from '@/ui/skeletons';
import type { Step } from './address';
import { CheckStep } from './CheckStep';
import { firstMapping, fitted, mappingErrors, planOf, dryRunSettings } from './mapping';
import type { Mapping } from './mapping';
import { MapStep } from './MapStep';
import { RefusedCall } from './RefusedCall';
import { StepFrame } from './StepFrame';
import { ReadStep } from './ReadStep';
import { useLookTableImportQuery, useStartTableImportMutation } from './transferApi';
import { isBusy } from './useImport';

/** Shown while the beginning of the file is read, or when it cannot be. `onReset`: returns to the original read options; null: none were changed. */
const Reading = ({
  error,
  isFetching,
  onRetry,
  onReset,
  onAnother,
}: {
  readonly error: unknown;
  readonly isFetching: boolean;
  readonly onRetry: () => void;
  readonly onReset: (() => void) | null;
  readonly onAnother: () => void;
}): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  return (
    <StepFrame
      actions={
        <>
          {onReset && <Button onClick={onReset}>{t('back')}</Button>}
          <Button onClick={onAnother}>{t('read.other')}</Button>
        </>
      }
    >
      {isFailure(error) ? (
        <RefusedCall title={t('read.unreadable')} failure={error} onRetry={onRetry} retrying={isFetching} />
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
};

/** The name of the column that a refused path of the plan refers to; null: none. */
function columnName(path: string, plan: ImportPlanInput, look: ImportLook): string | null {
  const index = /columns\.(\d+)/.exec(path)?.[1];
  const position = index === undefined ? undefined : plan.columns[Number(index)]?.column;
  return look.columns.find(({ column }) => column === position)?.name ?? null;
}

type Props = {
  readonly siteId: string;
  readonly table: ContentTable | null;
  readonly tables: readonly ContentTable[];
  readonly it: TableImport;
  readonly put: (it: TableImport) => void;
  readonly step: Step;
  /** Whether the user may create tables, fields and choices. */ readonly design: boolean;
  readonly onStep: (step: Step | '') => void;
  readonly onAnother: () => void;
};

/** Everything before an import: read options, column mapping, and the dry run. The settings are kept until the import is finished. */
export const ImportSetup = ({ siteId, table, tables, it, put, step, design, onStep, onAnother }: Props): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const { restored, keep, drop } = useDraft<Mapping>(`table-import:${it.id}`);
  const [mapping, setMapping] = useState<Mapping>(() => restored ?? firstMapping(it.plan, it.file.name, design));
  const [start, starting] = useStartTableImportMutation();
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const result = useLookTableImportQuery({ siteId, id: it.id, body: mapping.read }, { skip: isBusy(it) });
  // While new read options are being applied, the previous result stays on screen.
  const look = result.currentData ?? (result.isFetching ? result.data : undefined);
  const fit = look ? fitted(mapping, look, it.plan, table) : mapping;
  const choose = (change: Partial<Mapping>): void => {
    // The settings of the dry run are those before the first change.
    const tried = fit.tried ?? (it.state === 'checked' && look ? dryRunSettings(fit, look) : null);
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
    if (dryRun) choose({ tried: dryRunSettings(fit, look) });
    else drop();
    put(data);
    return onStep('');
  };
  const nameOf = (path: string): string | null =>
    path === 'title' ? t('map.tableTitle') : look === undefined ? null : columnName(path, planOf(fit, look), look);
  const failed = failure && <RefusedCall title={t('failed')} failure={failure} nameOf={nameOf} />;
  const shared = { siteId, table, it, mapping: fit, choose, design, starting: starting.isLoading, failed };

  if (step === 'check')
    return (
      <CheckStep
        {...shared}
        look={look ?? null}
        changed={look !== undefined && fit.tried !== null && fit.tried !== dryRunSettings(fit, look)}
        put={put}
        run={run}
        onBack={() => onStep('map')}
      />
    );
  if (look === undefined)
    return (
      <Reading
        error={result.error}
        isFetching={result.isFetching}
        onRetry={() => void result.refetch()}
        onReset={Object.keys(mapping.read).length > 0 ? () => choose({ read: {} }) : null}
        onAnother={onAnother}
      />
    );
  return step === 'map' ? (
    <MapStep {...shared} tables={tables} look={look} onBack={() => onStep('read')} onNext={() => void run(true)} />
  ) : (
    <ReadStep
      {...shared}
      look={look}
      loading={result.isFetching}
      onAnother={onAnother}
      onNext={() => onStep('map')}
      // Every column of a new table becomes a field; records that exist may be overwritten, which is decided with the mapping.
      onDryRun={table === null && mappingErrors(fit, look, table).length === 0 ? () => void run(true) : null}
    />
  );
};
