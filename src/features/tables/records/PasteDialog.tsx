import { Button, Checkbox, Dialog, DialogActions, DialogContent, DialogTitle, FormControlLabel, Typography } from '@mui/material';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import type { recordEndpoints } from '@contract/tables/recordEndpoints';
import type { ContentTable } from '@contract/tables/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { isFailure } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { tablesApi } from '../tablesApi';

type Body = z.input<typeof recordEndpoints.pasteRecords.body & z.ZodType>;
export type Paste = Pick<Body, 'fields' | 'rows'> & {
  readonly locale?: string | undefined;
  /** Texts of the columns for which there is no field, for each row. */
  readonly extra: readonly (readonly string[])[];
};
type Plan = z.output<typeof recordEndpoints.pasteRecords.response & z.ZodType>;
const mostRows = 10_000;
/** Rows with errors that the preview lists. */
const mostListed = 50;

/** How many records the paste would create, change and leave out. */
const PlanCounts = ({ plan, cutOff }: { readonly plan: Plan; readonly cutOff: number }): ReactElement => {
  const { t } = useTranslation('tables');
  return (
    <div role="status">
      <ul className="tables-plan">
        {plan.created > 0 && <li>{t('paste.new', { count: plan.created })}</li>}
        {plan.updated > 0 && <li>{t('paste.changed', { count: plan.updated })}</li>}
        {plan.failed > 0 && <li className="tables-error">{t('paste.failed', { count: plan.failed })}</li>}
        {plan.created + plan.updated + plan.failed === 0 && <li>{t('paste.nothing')}</li>}
        {cutOff > 0 && <li>{t('paste.cutOff', { count: cutOff })}</li>}
      </ul>
    </div>
  );
};

/** The rows that the server refuses, with the errors of their fields. */
const RowErrors = ({ plan, titleOf }: { readonly plan: Plan; readonly titleOf: (field: string) => string }): ReactElement | null => {
  const { t } = useTranslation('tables');
  const faulty = plan.rows.filter(({ errors }) => errors.length > 0);
  if (faulty.length === 0) return null;
  return (
    <div className="tables-scroll">
      <ul className="tables-stuck">
        {faulty.slice(0, mostListed).map(({ row, errors }) => (
          <li key={row}>
            <b>{t('paste.row', { n: row + 1 })}</b>
            {errors.map(({ field, text }) => (
              <p key={field ?? ''}>
                {field !== null && `${titleOf(field)}: `}
                <span className="tables-error">{text}</span>
              </p>
            ))}
          </li>
        ))}
      </ul>
    </div>
  );
};

type Props = {
  readonly siteId: string;
  readonly table: ContentTable;
  readonly paste: Paste;
  /** Whether fields may be added. */ readonly mayDesign: boolean;
  readonly onClose: () => void;
  readonly onDone: (batches: readonly string[], created: boolean) => void;
};

/** Text fields for the columns at the right that have none. They are added once, even if the paste is tried again. */
function useNewFields({ siteId, table, paste, mayDesign }: Pick<Props, 'siteId' | 'table' | 'paste' | 'mayDesign'>) {
  const { t } = useTranslation('tables');
  const dispatch = useAppDispatch();
  const count = paste.extra[0]?.length ?? 0;
  const offered = mayDesign && count > 0;
  const [isChosen, setOn] = useState(true);
  const [added, setAdded] = useState<readonly string[]>([]);
  const on = offered && isChosen;
  /** The paste with the columns of the new fields, or why a field was not added. */
  const whole = async (): Promise<Omit<Paste, 'extra'> | ApiFailure> => {
    const { extra, fields, rows, ...rest } = paste;
    if (!on) return { fields, rows, ...rest };
    const { addField } = await import(/* webpackChunkName: "field-design" */ '@/features/tables/schema/fields/fieldActions');
    const ids = [...added];
    while (ids.length < count) {
      const result = await addField(
        dispatch,
        { siteId, table: table.id },
        { type: 'text', title: t('paste.fieldName', { n: fields.length + ids.length + 1 }) },
      );
      if (isFailure(result)) return result;
      ids.push(result.id);
      setAdded([...ids]);
    }
    return { ...rest, fields: [...fields, ...ids], rows: rows.map((row, at) => ({ ...row, cells: [...row.cells, ...(extra[at] ?? [])] })) };
  };
  return { count, offered, on, setOn, whole };
}

/** Preview of a paste that the server has checked, with the rows that have errors; then pastes in one batch. */
export const PasteDialog = ({ siteId, table, paste, mayDesign, onClose, onDone }: Props): ReactElement => {
  const { t } = useTranslation('tables');
  const id = useId();
  const dispatch = useAppDispatch();
  const [plan, setPlan] = useState<Plan | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [addChoices, setAddChoices] = useState(true);
  const [busy, setBusy] = useState(true);
  const [attempt, setAttempt] = useState(0);
  const tooMany = paste.rows.length > mostRows;
  const newFields = useNewFields({ siteId, table, paste, mayDesign });

  const send = async (dryRun: boolean, choices: boolean, { fields, rows, locale }: Omit<Paste, 'extra'> = paste): Promise<Plan | null> => {
    setBusy(true);
    setFailure(null);
    const body = { fields, rows, addChoices: choices, dryRun, ...(locale === undefined ? {} : { locale }), ...(dryRun ? {} : { leaveOut: true }) };
    const { data, error } = await dispatch(tablesApi.endpoints.pasteRecords.initiate({ siteId, table: table.id, body }));
    setBusy(false);
    if (isFailure(error)) setFailure(error);
    return data ?? null;
  };
  const look = useEffectEvent(async (choices: boolean) => {
    const next = tooMany ? null : await send(true, choices);
    if (next) setPlan(next);
  });
  useEffect(() => void look(addChoices), [addChoices, attempt]);
  const go = async () => {
    setBusy(true);
    const whole = await newFields.whole();
    setBusy(false);
    if (isFailure(whole)) return setFailure(whole);
    const result = await send(false, addChoices, whole);
    if (!result) return;
    const { created, updated, batchId } = result;
    dispatch(
      noticeShown({ tone: 'good', message: batchId === null ? { key: 'tables:paste.nothing' } : { key: 'tables:paste.done', values: { created, updated } } }),
    );
    onDone(batchId === null ? [] : [batchId], created > 0);
  };
  const titleOf = (name: string): string => table.fields.find((field) => field.id === name || field.key === name)?.title ?? name;
  const newChoices = Object.entries(plan?.newChoices ?? {}).filter(([, list]) => list.length > 0);
  const some = plan !== null && plan.created + plan.updated > 0;
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} fullWidth maxWidth="sm">
      <DialogTitle id={id}>{t('paste.title')}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 1, alignContent: 'start' }}>
        <Typography variant="body2">{t('paste.lead', { rows: paste.rows.length, columns: paste.fields.length })}</Typography>
        {tooMany && <ErrorPanel title={t('paste.tooMany')} />}
        {failure && <ErrorPanel title={t('failed')} failure={failure} onRetry={() => setAttempt(attempt + 1)} />}
        {plan && <PlanCounts plan={plan} cutOff={newFields.on ? 0 : newFields.count} />}
        {newChoices.map(([name, list]) => (
          <Typography key={name} variant="body2">
            {t('paste.choices', { field: titleOf(name), list: list.slice(0, 20).join(', ') })}
          </Typography>
        ))}
        {(newChoices.length > 0 || !addChoices) && (
          <FormControlLabel
            control={<Checkbox checked={addChoices} onChange={(_event, on) => setAddChoices(on)} />}
            label={<Typography variant="body2">{t('paste.addChoices')}</Typography>}
          />
        )}
        {newFields.offered && (
          <FormControlLabel
            control={<Checkbox size="small" checked={newFields.on} onChange={(_event, on) => newFields.setOn(on)} />}
            label={<Typography variant="body2">{t('paste.addFields', { count: newFields.count })}</Typography>}
          />
        )}
        {plan && <RowErrors plan={plan} titleOf={titleOf} />}
      </DialogContent>
      <DialogActions sx={{ padding: '8px 24px 16px' }}>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button variant="contained" disabled={busy || !some} aria-busy={busy} onClick={() => void go()}>
          {t(busy ? (plan ? 'paste.going' : 'paste.checking') : 'paste.go')}
        </Button>
      </DialogActions>
    </Dialog>
  );
};
