import { Button, Dialog, DialogActions, DialogContent, DialogTitle, FormControlLabel, Radio, RadioGroup } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Site } from '@contract/sites/schemas';
import { canConvert } from '@contract/tables/conversionTerms';
import type { ConversionAnswer, ConversionPlan } from '@contract/tables/conversion';
import type { ContentTable, FieldOptions, TableField } from '@contract/tables/schemas';
import { optionsOf } from '@contract/tables/schemas';
import type { FieldType } from '@contract/tables/terms';
import { useDraft } from '@/features/session/useDraft';
import { phone, useMedia } from '@/lib/useMedia';
import { isFailure, isStale } from '@/store/failure';
import type { ApiFailure } from '@/store/failure';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { FieldIcon } from '../records/icons';
import { Tick } from '../parts/controls';
import { useFaults } from '../tableFields/editing';
import type { Editing, Faults } from '../tableFields/editing';
import { isFieldType, newDraft } from '../tableFields/fieldDraft';
import { OptionsPart } from '../tableFields/OptionsPart';
import { usePlanConversionMutation, useStartConversionMutation } from './convertApi';
import { PlanView } from './PlanView';
import { Status } from './Status';
import { TypeChoice } from './TypeChoice';
import './convert.css';

type Props = {
  readonly site: Site;
  readonly tables: readonly ContentTable[];
  readonly table: ContentTable;
  readonly field: TableField;
  /** What stands in the address: a type, or anything else while none is chosen. */ readonly type: string;
  readonly last: ConversionAnswer | undefined;
  readonly onType: (type: FieldType | '-') => void;
  readonly onClose: () => void;
};
type Kept = { readonly options: FieldOptions; readonly addChoices: boolean };

/** Options of the old type that the new one has as well: limits, choices, units stay. */
const carried = (field: TableField, type: FieldType): FieldOptions => {
  const names: readonly string[] = optionsOf[type];
  const same = Object.entries(field.options).filter(([name]) => names.includes(name));
  return { ...newDraft(type).options, ...Object.fromEntries(same) };
};

/** The new type with its options, a dry run, what to do with values that do not fit, and the beginning of it. */
const Target = ({
  site,
  tables,
  table,
  field,
  type,
  onType,
  onStarted,
  onClose,
}: Omit<Props, 'type' | 'last'> & { readonly type: FieldType; readonly onStarted: () => void }): ReactElement => {
  const { t } = useTranslation(['tableConvert', 'tableDesign']);
  const draftKept = useDraft<Kept>(`convert:${field.id}:${type}`);
  const [kept, setKept] = useState<Kept>(() => draftKept.restored ?? { options: carried(field, type), addChoices: true });
  const [plan, setPlan] = useState<ConversionPlan | null>(null);
  /** Revision of the table when the plan was asked for: what was looked at is what is done. */
  const [planned, setPlanned] = useState(table.revision);
  const [misfits, setMisfits] = useState<'refuse' | 'empty'>('refuse');
  const [dropUnique, setDropUnique] = useState(false);
  const [faults, setFaults] = useState<Faults>({});
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [said, setSaid] = useState<'stale' | 'busyOther' | null>(null);
  const [tryOut, trying] = usePlanConversionMutation();
  const [start, starting] = useStartConversionMutation();
  const fault = useFaults(faults);
  const at = { siteId: site.id, table: table.id, field: field.id };
  const change = (next: Kept) => {
    setKept(next);
    draftKept.keep(next);
    setPlan(null);
    setFaults({});
  };
  const refused = (error: unknown) => {
    if (!isFailure(error)) return;
    if (isStale(error)) setSaid('stale');
    else if (error.code === 'conflict') setSaid('busyOther');
    else if (error.fields && Object.keys(error.fields).length > 0) setFaults(error.fields);
    else setFailure(error);
    if (isStale(error)) setPlan(null);
  };
  const body = { type, ...kept };
  const look = async () => {
    setFailure(null);
    setSaid(null);
    setFaults({});
    setPlanned(table.revision);
    const { data, error } = await tryOut({ ...at, body });
    if (data) setPlan(data);
    else refused(error);
  };
  const go = async () => {
    setFailure(null);
    setSaid(null);
    const { data, error } = await start({ ...at, revision: planned, body: { ...body, misfits, keepUnique: !dropUnique } });
    if (data) {
      draftKept.drop();
      onStarted();
    } else refused(error);
  };
  // A relation of the new type is led where one wants; the field itself counts as new here.
  const draft = { ...newDraft(type), title: field.title, options: kept.options };
  const editing: Editing = {
    site,
    tables,
    table,
    field: null,
    draft,
    mayDesign: true,
    set: () => undefined,
    setOption: (part) => change({ ...kept, options: { ...kept.options, ...part } }),
    fault,
    converting: true,
  };
  const selection = type === 'select' || type === 'multiSelect';
  const others = Object.keys(faults).filter((path) => !path.startsWith('options.'));
  const needsTarget = (type === 'relation' || type === 'relations') && kept.options.to === undefined;
  const unfit = plan !== null && plan.counts.failing > 0;
  const stuck = plan === null || plan.blocked.length > 0 || (unfit && misfits === 'refuse') || (plan.duplicates > 0 && !dropUnique);
  return (
    <>
      <DialogContent sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', alignContent: 'start', gap: 2.5, fontSize: '0.875rem', '& p': { m: 0 } }}>
        <div className="convert-arrow">
          <span>
            <FieldIcon asked={{ field }} /> {t(`tableDesign:type.${field.type}`)}
          </span>
          <span aria-hidden="true">→</span>
          <span>
            <FieldIcon asked={{ field: { type } }} /> <b>{t(`tableDesign:type.${type}`)}</b>
          </span>
          <Button size="small" onClick={() => onType('-')}>
            {t('target.change')}
          </Button>
        </div>
        {failure && <ErrorPanel title={t('failed')} failure={failure} />}
        {said && (
          <div className="error-panel" role="alert">
            <p>{t(said)}</p>
          </div>
        )}
        {others.length > 0 && (
          <div className="error-panel" role="alert">
            {others.map((path) => (
              <p key={path}>{fault(path)}</p>
            ))}
          </div>
        )}
        <div className="convert-part">
          <OptionsPart {...editing} />
          {selection && (
            <Tick
              label={t('target.addChoices')}
              help={t('target.addChoicesHelp')}
              checked={kept.addChoices}
              onChange={(addChoices) => change({ ...kept, addChoices })}
            />
          )}
          {(type === 'relation' || type === 'relations') && <p className="design-quiet">{t('target.relation')}</p>}
        </div>
        {plan && <PlanView plan={plan} />}
        {plan?.blocked.map((reason) => (
          <div key={reason} className="error-panel" role="alert">
            <p>{t(`blocked.${reason}`)}</p>
          </div>
        ))}
        {unfit && plan.blocked.length === 0 && (
          <section className="convert-part" aria-label={t('misfits.title', { count: plan.counts.failing })}>
            <h3>{t('misfits.title', { count: plan.counts.failing })}</h3>
            <RadioGroup value={misfits} onChange={(_event, value) => setMisfits(value === 'empty' ? 'empty' : 'refuse')}>
              {(['refuse', 'empty'] as const).map((one) => (
                <FormControlLabel
                  key={one}
                  value={one}
                  control={<Radio size="small" />}
                  label={
                    <>
                      <span style={{ fontSize: '0.875rem' }}>{t(`misfits.${one}`)}</span>
                      <p className="design-quiet">{t(`misfits.${one}Help`)}</p>
                    </>
                  }
                />
              ))}
            </RadioGroup>
          </section>
        )}
        {plan && plan.duplicates > 0 && (
          <div className="convert-part">
            <p role="alert">{t('plan.duplicates', { count: plan.duplicates })}</p>
            <Tick label={t('unique.drop')} help={t('unique.dropHelp')} checked={dropUnique} onChange={setDropUnique} />
          </div>
        )}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button variant={plan ? 'outlined' : 'contained'} disabled={trying.isLoading || needsTarget} aria-busy={trying.isLoading} onClick={() => void look()}>
          {t(trying.isLoading ? 'target.trying' : plan ? 'plan.again' : 'target.try')}
        </Button>
        {plan && (
          <Button variant="contained" disabled={stuck || starting.isLoading} aria-busy={starting.isLoading} onClick={() => void go()}>
            {t(starting.isLoading ? 'going' : 'go')}
          </Button>
        )}
      </DialogActions>
    </>
  );
};

/** Changes the type of a field: which one, with what options, tried first, then begun; what runs or has just ended is shown instead. */
export const ConvertWizard = (props: Props): ReactElement => {
  const { site, table, field, type, last, onType, onClose } = props;
  const { t } = useTranslation('tableConvert');
  const id = useId();
  const onPhone = useMedia(phone);
  // What was begun here is shown until it has ended, and then how.
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
            <Status site={site} table={table} field={field} conversion={conversion} undoable={last?.undoable ?? null} />
          </DialogContent>
          <DialogActions>
            <Button variant="contained" onClick={onClose}>
              {t('close')}
            </Button>
          </DialogActions>
        </>
      ) : chosen === null ? (
        <>
          <DialogContent sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', alignContent: 'start', gap: 2, fontSize: '0.875rem', '& p': { m: 0 } }}>
            <TypeChoice field={field} onChoose={onType} />
          </DialogContent>
          <DialogActions>
            <Button onClick={onClose}>{t('cancel')}</Button>
          </DialogActions>
        </>
      ) : (
        <Target key={chosen} {...props} type={chosen} onStarted={() => setWatching(true)} />
      )}
    </Dialog>
  );
};
