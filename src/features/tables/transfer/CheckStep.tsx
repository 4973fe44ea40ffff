import { Alert, Button, Link } from '@mui/material';
import { useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportLook, TableImport } from '@contract/tables/transfers';
import type { ContentTable } from '@contract/tables/schemas';
import { useFormat } from '@/lib/format';
import { addressOf } from '@/store/endpoints';
import { isFailure } from '@/store/failure';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Tick } from '../parts/controls';
import type { Mapping } from './mapping';
import { outcomes } from './outcomes';
import { Gap, Progress, StepFrame } from './pieces';
import { RowPlans } from './RowPlans';
import { transferCalls, useCancelTableImportMutation } from './transferApi';
import type { Outcome } from './transferApi';
import { isBusy } from './useImport';

/** Titles that are named of the choices of one field. */
const mostChoices = 20;

/** The dry run: what every row would become, and what keeps some of them from it. */
export const CheckStep = ({
  siteId,
  table,
  it,
  look,
  changed,
  mapping,
  choose,
  starting,
  failed,
  put,
  run,
  onBack,
}: {
  readonly siteId: string;
  readonly table: ContentTable | null;
  readonly tables: readonly ContentTable[];
  readonly it: TableImport;
  /** null: not known yet. */ readonly look: ImportLook | null;
  /** Something has been chosen otherwise since it was tried. */ readonly changed: boolean;
  readonly mapping: Mapping;
  readonly choose: (change: Partial<Mapping>) => void;
  readonly starting: boolean;
  readonly failed: ReactNode;
  readonly put: (it: TableImport) => void;
  readonly run: (dryRun: boolean) => Promise<void>;
  readonly onBack: () => void;
}): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const format = useFormat();
  const [cancel, cancelling] = useCancelTableImportMutation();
  const { counts } = it;
  const [chosen, setChosen] = useState<Outcome | 'all' | null>(null);
  if (isBusy(it)) {
    const stopping = cancelling.isLoading || (cancelling.data !== undefined && cancelling.data.jobId === it.jobId);
    const stop = async (): Promise<void> => {
      const { data } = await cancel({ siteId, id: it.id });
      if (data) put(data);
    };
    return (
      <StepFrame
        actions={
          <Button disabled={stopping} onClick={() => void stop()}>
            {t(stopping ? 'progress.cancelling' : 'progress.cancel')}
          </Button>
        }
      >
        <p className="transfer-quiet">{t('check.lead')}</p>
        <Progress it={it} title={t('check.going')} rows={counts?.rows ?? 0} />
        {isFailure(cancelling.error) && <ErrorPanel title={t('failed')} failure={cancelling.error} />}
      </StepFrame>
    );
  }
  // What has been changed since is tried first.
  const checked = it.state === 'checked' && counts !== null && !changed;
  const fail = counts?.fail ?? 0;
  const some = counts === null ? 0 : counts.insert + counts.update;
  const filter = chosen ?? (fail > 0 ? 'fail' : 'all');
  const choices = Object.entries(it.newChoices).filter(([, list]) => list.length > 0);
  const titleOf = (name: string): string => table?.fields.find(({ id, key }) => id === name || key === name)?.title ?? name;
  const listOf = (list: readonly string[]): string => {
    const shown = list.slice(0, mostChoices).join(t('check.comma'));
    return list.length > mostChoices ? t('check.choicesMore', { list: shown }) : shown;
  };
  const blocked = fail > 0 && !mapping.leaveOut;
  return (
    <StepFrame
      actions={
        <>
          <Button onClick={onBack}>{t('check.back')}</Button>
          <Gap />
          {checked ? (
            <Button variant="contained" disabled={some === 0 || blocked || starting || look === null} aria-busy={starting} onClick={() => void run(false)}>
              {starting ? t('map.starting') : t('check.go', { count: some, shown: format.number(some) })}
            </Button>
          ) : (
            <Button variant="contained" disabled={starting || look === null} aria-busy={starting} onClick={() => void run(true)}>
              {t(starting ? 'map.starting' : 'check.again')}
            </Button>
          )}
        </>
      }
    >
      {failed}
      {it.state === 'failed' && (
        <ErrorPanel title={t('check.failed')}>
          <p>{it.error}</p>
        </ErrorPanel>
      )}
      {it.state === 'cancelled' && <p role="status">{t('check.stopped')}</p>}
      {it.state === 'checked' && changed && <Alert severity="info">{t('check.changed')}</Alert>}
      {checked && (
        <>
          <p role="status">{t('check.result', { count: counts.rows, shown: format.number(counts.rows) })}</p>
          {some === 0 && <Alert severity="info">{t('check.nothing')}</Alert>}
          {choices.length > 0 && (
            <div>
              <h3>{t(mapping.addChoices || table === null ? 'check.newChoices' : 'check.missingChoices')}</h3>
              {choices.map(([name, list]) => (
                <p key={name} className="transfer-quiet" style={{ overflowWrap: 'anywhere' }}>
                  {t('check.choicesOf', { field: titleOf(name), list: listOf(list) })}
                </p>
              ))}
            </div>
          )}
          <div className="transfer-chips" role="group" aria-label={t('check.filter')}>
            {(['all', ...outcomes] as const).map((one) => {
              const n = one === 'all' ? counts.rows : counts[one];
              return (
                <button
                  key={one}
                  type="button"
                  className="transfer-chip"
                  aria-pressed={filter === one}
                  disabled={n === 0 && one !== 'all'}
                  data-bad={one === 'fail' && n > 0 ? '' : undefined}
                  onClick={() => setChosen(one)}
                >
                  {t(one === 'all' ? 'check.all' : `outcome.${one}`)} <b>{format.number(n)}</b>
                </button>
              );
            })}
          </div>
          <RowPlans siteId={siteId} it={it} table={table} look={look} mapping={mapping} filter={filter} />
          {fail > 0 && (
            <>
              <p>
                <Link underline="always" href={addressOf(transferCalls.tableImportFaults, { siteId, id: it.id })} download>
                  {t('check.faults')}
                </Link>{' '}
                <span className="transfer-quiet">{t('check.faultsHelp')}</span>
              </p>
              {some > 0 && (
                <Tick
                  label={t('check.leaveOut', { count: fail, shown: format.number(fail) })}
                  checked={mapping.leaveOut}
                  onChange={(leaveOut) => choose({ leaveOut })}
                />
              )}
              {blocked && (
                <p className="tables-fault" role="status">
                  {t('check.stop', { count: fail, shown: format.number(fail) })}
                </p>
              )}
            </>
          )}
        </>
      )}
    </StepFrame>
  );
};
