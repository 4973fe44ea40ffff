import { Alert, Button } from '@mui/material';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportLook } from '@contract/tables/transfers';
import type { ContentTable } from '@contract/tables/schemas';
import { tableLimits } from '@contract/tables/terms';
import { TextLine } from '../parts/controls';
import { ColumnTarget } from './ColumnTarget';
import { mappingErrors, newGoal, suggested } from './mapping';
import type { Goal, MappingError, Mapping } from './mapping';
import { FlexibleSpace, StepFrame } from './StepFrame';
import { WriteSettings } from './WriteSettings';

type MappingProps = {
  readonly table: ContentTable | null;
  readonly look: ImportLook;
  readonly mapping: Mapping;
  readonly choose: (change: Partial<Mapping>) => void;
  readonly design: boolean;
};

/** How many columns are imported, with actions on all of them. */
const MappingTools = ({ table, look, mapping: { goals }, choose, design }: MappingProps): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const unmapped = goals.filter((goal) => goal === null).length;
  const addFields = (): void => {
    const next: Goal[] = [...goals];
    for (const [at, column] of look.columns.entries()) next[at] ??= newGoal(column, next, table);
    choose({ goals: next });
  };
  return (
    <div className="transfer-line">
      <span className="transfer-quiet" role="status">
        {t('map.counted', { chosen: goals.length - unmapped, all: goals.length })}
      </span>
      <FlexibleSpace />
      {design && unmapped > 0 && <Button onClick={addFields}>{t('map.restNew', { count: unmapped })}</Button>}
      <Button onClick={() => choose({ goals: suggested(look, table) })}>{t('map.rematch')}</Button>
      <Button disabled={unmapped === goals.length} onClick={() => choose({ goals: goals.map(() => null) })}>
        {t('map.restNone')}
      </Button>
    </div>
  );
};

/** Errors that prevent the dry run and belong to no column. */
const GeneralErrors = ({ errors }: { readonly errors: readonly MappingError[] }): ReactElement | null => {
  const { t } = useTranslation('tableTransfer');
  if (errors.length === 0) return null;
  return (
    <ul role="alert" className="tables-error" style={{ listStyle: 'none', padding: 0 }}>
      {errors.map(({ code, name }) => (
        <li key={`${code} ${name}`}>{t(`map.errors.${code}`, { name })}</li>
      ))}
    </ul>
  );
};

/** The target of each column, and how rows match existing records. */
export const MapStep = ({
  table,
  tables,
  look,
  mapping,
  choose,
  design,
  starting,
  failed,
  onBack,
  onNext,
}: MappingProps & {
  readonly tables: readonly ContentTable[];
  readonly starting: boolean;
  readonly failed: ReactNode;
  readonly onBack: () => void;
  readonly onNext: () => void;
}): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const { goals } = mapping;
  const errors = mappingErrors(mapping, look, table);
  return (
    <StepFrame
      actions={
        <>
          <Button onClick={onBack}>{t('back')}</Button>
          <FlexibleSpace />
          <span className="transfer-quiet transfer-hint">{t('map.nothingYet')}</span>
          <Button variant="contained" disabled={errors.length > 0 || starting} aria-busy={starting} onClick={onNext}>
            {t(starting ? 'map.starting' : 'map.next')}
          </Button>
        </>
      }
    >
      {failed}
      {table === null && (
        <div style={{ maxWidth: 420 }}>
          <TextLine
            label={t('map.tableTitle')}
            help={t('map.tableTitleHelp')}
            error={errors.some(({ code }) => code === 'tableTitle') ? t('map.errors.tableTitle') : undefined}
            value={mapping.title}
            max={tableLimits.nameLength}
            onChange={(title) => choose({ title })}
          />
        </div>
      )}
      <p className="transfer-quiet">{t(table === null ? 'map.leadNew' : 'map.lead')}</p>
      {look.notes.length > 0 && (
        <Alert severity="warning" role="note">
          {look.notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </Alert>
      )}
      <MappingTools table={table} look={look} mapping={mapping} choose={choose} design={design} />
      <ul className="transfer-map" aria-label={t('map.column')}>
        {look.columns.map((column, at) => (
          <ColumnTarget
            key={column.column}
            column={column}
            goals={goals}
            at={at}
            table={table}
            tables={tables}
            design={design}
            errors={errors.filter((error) => error.column === at)}
            onChange={(goal) => choose({ goals: goals.map((one, place) => (place === at ? goal : one)) })}
          />
        ))}
      </ul>
      {table !== null && <WriteSettings table={table} mapping={mapping} choose={choose} design={design} />}
      <GeneralErrors errors={errors.filter(({ column, code }) => column === null && code !== 'tableTitle')} />
    </StepFrame>
  );
};
