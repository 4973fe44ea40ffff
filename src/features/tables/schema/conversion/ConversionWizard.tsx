import { Button, Dialog, DialogActions, DialogContent, DialogTitle, FormControlLabel, Radio, RadioGroup } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Site } from '@contract/sites/schemas';
import { canConvert } from '@contract/tables/fieldTypes';
import type { ConversionResult, ConversionPlan } from '@contract/tables/conversion';
import type { ContentTable, TableField } from '@contract/tables/schemas';
import type { FieldType } from '@contract/tables/terms';
import { phone, useMedia } from '@/lib/useMedia';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { FieldIcon } from '@/features/tables/records/icons';
import { Tick } from '@/features/tables/parts/controls';
import { useErrorAt } from '@/features/tables/schema/fields/editing';
import type { Editing } from '@/features/tables/schema/fields/editing';
import { isFieldType } from '@/features/tables/fieldTypes';
import { newDraft } from '@/features/tables/schema/fields/fieldDraft';
import { OptionsPart } from '@/features/tables/schema/fields/OptionsPart';
import { ConversionPlanView } from './ConversionPlanView';
import { ConversionStatus } from './ConversionStatus';
import { TypeChoice } from './TypeChoice';
import { useConversionTrial } from './useConversionTrial';
import type { ConversionTarget, ConversionTrial } from './useConversionTrial';
import './conversion.css';

type Props = {
  readonly site: Site;
  readonly tables: readonly ContentTable[];
  readonly table: ContentTable;
  readonly field: TableField;
  /** The type in the URL, or any other value while none is chosen. */ readonly type: string;
  readonly last: ConversionResult | undefined;
  readonly onType: (type: FieldType | '-') => void;
  readonly onClose: () => void;
};
const isLinkType = (type: FieldType): boolean => type === 'relation' || type === 'relations';

/** The old and the new type, with a button to choose another. */
const TypeArrow = ({ field, type, onType }: Pick<Props, 'field' | 'onType'> & { readonly type: FieldType }): ReactElement => {
  const { t } = useTranslation(['tableConvert', 'tableDesign']);
  return (
    <div className="convert-arrow">
      <span>
        <FieldIcon column={{ field }} /> {t(`tableDesign:type.${field.type}`)}
      </span>
      <span aria-hidden="true">→</span>
      <span>
        <FieldIcon column={{ field: { type } }} /> <b>{t(`tableDesign:type.${type}`)}</b>
      </span>
      <Button onClick={() => onType('-')}>{t('target.change')}</Button>
    </div>
  );
};

/** Why the last dry run or start was refused; errors of an option are shown at the option. */
const Refusals = ({ trial }: { readonly trial: ConversionTrial }): ReactElement => {
  const { t } = useTranslation('tableConvert');
  const { failure, refusal, fieldErrors } = trial;
  const errorAt = useErrorAt(fieldErrors);
  const otherPaths = Object.keys(fieldErrors).filter((path) => !path.startsWith('options.'));
  return (
    <>
      {failure && <ErrorPanel title={t('failed')} failure={failure} />}
      {refusal && (
        <div className="error-panel" role="alert">
          <p>{t(refusal)}</p>
        </div>
      )}
      {otherPaths.length > 0 && (
        <div className="error-panel" role="alert">
          {otherPaths.map((path) => (
            <p key={path}>{errorAt(path)}</p>
          ))}
        </div>
      )}
    </>
  );
};

/** Options of the new type. A relation may point to any table; the field counts as a new one here. */
const TargetOptions = ({
  tables,
  trial,
  ...target
}: ConversionTarget & { readonly tables: readonly ContentTable[]; readonly trial: ConversionTrial }): ReactElement => {
  const { t } = useTranslation('tableConvert');
  const { site, table, field, type } = target;
  const { settings, change } = trial;
  const editing: Editing = {
    site,
    tables,
    table,
    field: null,
    draft: { ...newDraft(type), title: field.title, options: settings.options },
    mayDesign: true,
    set: () => undefined,
    setOption: (part) => change({ options: { ...settings.options, ...part } }),
    errorAt: useErrorAt(trial.fieldErrors),
    converting: true,
  };
  return (
    <div className="convert-part">
      <OptionsPart {...editing} />
      {(type === 'select' || type === 'multiSelect') && (
        <Tick
          label={t('target.addChoices')}
          help={t('target.addChoicesHelp')}
          checked={settings.addChoices}
          onChange={(addChoices) => change({ addChoices })}
        />
      )}
      {isLinkType(type) && <p className="design-quiet">{t('target.relation')}</p>}
    </div>
  );
};

/** What to do with values that the new type cannot hold. */
const MisfitChoice = ({ trial, count }: { readonly trial: ConversionTrial; readonly count: number }): ReactElement => {
  const { t } = useTranslation('tableConvert');
  return (
    <section className="convert-part" aria-label={t('misfits.title', { count })}>
      <h3>{t('misfits.title', { count })}</h3>
      <RadioGroup value={trial.misfits} onChange={(_event, value) => trial.setMisfits(value === 'empty' ? 'empty' : 'refuse')}>
        {(['refuse', 'empty'] as const).map((one) => (
          <FormControlLabel
            key={one}
            value={one}
            control={<Radio />}
            label={
              <>
                <span style={{ fontSize: 'var(--text-body)' }}>{t(`misfits.${one}`)}</span>
                <p className="design-quiet">{t(`misfits.${one}Help`)}</p>
              </>
            }
          />
        ))}
      </RadioGroup>
    </section>
  );
};

/** The result of the dry run, and the decisions it requires. */
const TrialResult = ({ plan, trial }: { readonly plan: ConversionPlan; readonly trial: ConversionTrial }): ReactElement => {
  const { t } = useTranslation('tableConvert');
  return (
    <>
      <ConversionPlanView plan={plan} />
      {plan.blocked.map((reason) => (
        <div key={reason} className="error-panel" role="alert">
          <p>{t(`blocked.${reason}`)}</p>
        </div>
      ))}
      {plan.counts.failing > 0 && plan.blocked.length === 0 && <MisfitChoice trial={trial} count={plan.counts.failing} />}
      {plan.duplicates > 0 && (
        <div className="convert-part">
          <p role="alert">{t('plan.duplicates', { count: plan.duplicates })}</p>
          <Tick label={t('unique.drop')} help={t('unique.dropHelp')} checked={trial.dropUnique} onChange={trial.setDropUnique} />
        </div>
      )}
    </>
  );
};

/** The new type with its options, the dry run, and the start. */
const ConversionSetup = ({
  tables,
  onType,
  onStarted,
  onClose,
  ...target
}: Omit<Props, 'type' | 'last'> & { readonly type: FieldType; readonly onStarted: () => void }): ReactElement => {
  const { t } = useTranslation('tableConvert');
  const { field, type } = target;
  const trial = useConversionTrial(target, onStarted);
  const { plan, planning, starting } = trial;
  const needsTable = isLinkType(type) && trial.settings.options.to === undefined;
  return (
    <>
      <DialogContent
        sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', alignContent: 'start', gap: 2.5, fontSize: 'var(--text-body)', '& p': { m: 0 } }}
      >
        <TypeArrow field={field} type={type} onType={onType} />
        <Refusals trial={trial} />
        <TargetOptions {...target} tables={tables} trial={trial} />
        {plan && <TrialResult plan={plan} trial={trial} />}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button variant={plan ? 'outlined' : 'contained'} disabled={planning || needsTable} aria-busy={planning} onClick={() => void trial.tryOut()}>
          {t(planning ? 'target.trying' : plan ? 'plan.again' : 'target.try')}
        </Button>
        {plan && (
          <Button variant="contained" disabled={!trial.startable || starting} aria-busy={starting} onClick={() => void trial.start()}>
            {t(starting ? 'going' : 'go')}
          </Button>
        )}
      </DialogActions>
    </>
  );
};

/** Converts a field to another type: choose the type and options, try a dry run, then start. A running or just ended conversion is shown instead. */
export const ConversionWizard = (props: Props): ReactElement => {
  const { site, table, field, type, last, onType, onClose } = props;
  const { t } = useTranslation('tableConvert');
  const id = useId();
  const onPhone = useMedia(phone);
  // A conversion started here stays on screen until it ends, and then with its result.
  const [watching, setWatching] = useState(false);
  const conversion = last?.conversion ?? null;
  const running = conversion?.state === 'running';
  const chosen = isFieldType(type) && canConvert(field.type, type) ? type : null;
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} fullWidth maxWidth={(running || watching) && conversion ? 'sm' : 'md'} fullScreen={onPhone}>
      <DialogTitle id={id}>{t('of', { name: field.title })}</DialogTitle>
      {(running || watching) && conversion ? (
        <>
          <DialogContent>
            <ConversionStatus site={site} table={table} field={field} conversion={conversion} undoable={last?.undoable ?? null} />
          </DialogContent>
          <DialogActions>
            <Button variant="contained" onClick={onClose}>
              {t('close')}
            </Button>
          </DialogActions>
        </>
      ) : chosen === null ? (
        <>
          <DialogContent
            sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', alignContent: 'start', gap: 2, fontSize: 'var(--text-body)', '& p': { m: 0 } }}
          >
            <TypeChoice field={field} onChoose={onType} />
          </DialogContent>
          <DialogActions>
            <Button onClick={onClose}>{t('cancel')}</Button>
          </DialogActions>
        </>
      ) : (
        <ConversionSetup key={chosen} {...props} type={chosen} onStarted={() => setWatching(true)} />
      )}
    </Dialog>
  );
};
