import { Alert, Button, Link } from '@mui/material';
import { useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportCounts, ImportLook, TableImport } from '@contract/tables/transfers';
import type { ContentTable } from '@contract/tables/schemas';
import { useFormat } from '@/lib/format';
import { addressOf } from '@/store/endpoints';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Tick } from '../parts/controls';
import type { Mapping } from './mapping';
import { outcomes } from './rowOutcomes';
import { RunningStep } from './RunningStep';
import { FlexibleSpace, StepFrame } from './StepFrame';
import { RowPlans } from './RowPlans';
import { transferCalls } from './transferApi';
import type { Outcome } from './transferApi';
import { isBusy } from './useImport';

/** Maximum number of choices listed per field. */
const mostChoices = 20;

/** Rows that would create or change a record. */
const writtenRows = ({ insert, update }: ImportCounts): number => insert + update;

type Props = {
  readonly siteId: string;
  readonly table: ContentTable | null;
  readonly it: TableImport;
  /** null: not loaded yet. */ readonly look: ImportLook | null;
  /** The settings have changed since the dry run. */ readonly changed: boolean;
  readonly mapping: Mapping;
  readonly choose: (change: Partial<Mapping>) => void;
  readonly starting: boolean;
  readonly failed: ReactNode;
  readonly put: (it: TableImport) => void;
  readonly run: (dryRun: boolean) => Promise<void>;
  readonly onBack: () => void;
};
type WithCounts = { readonly counts: ImportCounts };

/** Choices in the file that the fields do not have. */
const MissingChoices = ({ table, it, mapping }: Pick<Props, 'table' | 'it' | 'mapping'>): ReactElement | null => {
  const { t } = useTranslation('tableTransfer');
  const choices = Object.entries(it.newChoices).filter(([, list]) => list.length > 0);
  if (choices.length === 0) return null;
  const titleOf = (name: string): string => table?.fields.find(({ id, key }) => id === name || key === name)?.title ?? name;
  const listOf = (list: readonly string[]): string => {
    const first = list.slice(0, mostChoices).join(t('check.comma'));
    return list.length > mostChoices ? t('check.choicesMore', { list: first }) : first;
  };
  return (
    <div>
      <h3>{t(mapping.addChoices || table === null ? 'check.newChoices' : 'check.missingChoices')}</h3>
      {choices.map(([name, list]) => (
        <p key={name} className="transfer-quiet" style={{ overflowWrap: 'anywhere' }}>
          {t('check.choicesOf', { field: titleOf(name), list: listOf(list) })}
        </p>
      ))}
    </div>
  );
};

/** Filters the rows by outcome. */
const OutcomeFilter = ({
  counts,
  filter,
  onFilter,
}: WithCounts & { readonly filter: Outcome | 'all'; readonly onFilter: (filter: Outcome | 'all') => void }): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const format = useFormat();
  return (
    <div className="transfer-chips" role="group" aria-label={t('check.filter')}>
      {(['all', ...outcomes] as const).map((outcome) => {
        const count = outcome === 'all' ? counts.rows : counts[outcome];
        return (
          <button
            key={outcome}
            type="button"
            className="transfer-chip"
            aria-pressed={filter === outcome}
            disabled={count === 0 && outcome !== 'all'}
            data-bad={outcome === 'fail' && count > 0 ? '' : undefined}
            onClick={() => onFilter(outcome)}
          >
            {t(outcome === 'all' ? 'check.all' : `outcome.${outcome}`)} <b>{format.number(count)}</b>
          </button>
        );
      })}
    </div>
  );
};

/** Rows that cannot be imported: their download, and whether to import the others without them. */
const FailingRows = ({ siteId, it, counts, mapping, choose }: Pick<Props, 'siteId' | 'it' | 'mapping' | 'choose'> & WithCounts): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const format = useFormat();
  const values = { count: counts.fail, countText: format.number(counts.fail) };
  return (
    <>
      <p>
        <Link underline="always" href={addressOf(transferCalls.tableImportErrors, { siteId, id: it.id })} download>
          {t('check.download')}
        </Link>{' '}
        <span className="transfer-quiet">{t('check.downloadHelp')}</span>
      </p>
      {writtenRows(counts) > 0 && <Tick label={t('check.leaveOut', values)} checked={mapping.leaveOut} onChange={(leaveOut) => choose({ leaveOut })} />}
      {!mapping.leaveOut && (
        <p className="tables-error" role="status">
          {t('check.stop', values)}
        </p>
      )}
    </>
  );
};

/** The outcome of every row. */
const CheckResult = ({
  chosen,
  onFilter,
  ...props
}: Props & WithCounts & { readonly chosen: Outcome | 'all' | null; readonly onFilter: (filter: Outcome | 'all') => void }): ReactElement => {
  const { siteId, table, it, look, mapping, counts } = props;
  const { t } = useTranslation('tableTransfer');
  const format = useFormat();
  const filter = chosen ?? (counts.fail > 0 ? 'fail' : 'all');
  return (
    <>
      <p role="status">{t('check.result', { count: counts.rows, countText: format.number(counts.rows) })}</p>
      {writtenRows(counts) === 0 && <Alert severity="info">{t('check.nothing')}</Alert>}
      <MissingChoices table={table} it={it} mapping={mapping} />
      <OutcomeFilter counts={counts} filter={filter} onFilter={onFilter} />
      <RowPlans siteId={siteId} it={it} table={table} look={look} mapping={mapping} filter={filter} />
      {counts.fail > 0 && <FailingRows {...props} />}
    </>
  );
};

/** The dry run: the outcome of every row, and the errors of those that cannot be imported. */
export const CheckStep = (props: Props): ReactElement => {
  const { it, look, changed, mapping, starting, failed, run, onBack } = props;
  const { t } = useTranslation('tableTransfer');
  const format = useFormat();
  // The choice survives another dry run.
  const [chosen, setChosen] = useState<Outcome | 'all' | null>(null);
  if (isBusy(it)) return <RunningStep {...props} lead={t('check.lead')} title={t('check.going')} />;
  // Changed settings need a new dry run first.
  const counts = it.state === 'checked' && !changed ? it.counts : null;
  const written = counts === null ? 0 : writtenRows(counts);
  const blocked = counts !== null && counts.fail > 0 && !mapping.leaveOut;
  return (
    <StepFrame
      actions={
        <>
          <Button onClick={onBack}>{t('check.back')}</Button>
          <FlexibleSpace />
          {counts ? (
            <Button variant="contained" disabled={written === 0 || blocked || starting || look === null} aria-busy={starting} onClick={() => void run(false)}>
              {starting ? t('map.starting') : t('check.go', { count: written, countText: format.number(written) })}
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
      {counts && <CheckResult {...props} counts={counts} chosen={chosen} onFilter={setChosen} />}
    </StepFrame>
  );
};
