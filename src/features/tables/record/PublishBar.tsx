import { Button } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContentTable } from '@contract/tables/schemas';
import { noticeShown, notifyFailure } from '@/features/notices/noticesSlice';
import { useAppDispatch } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { DateInput, readMoment } from '@/ui/date/DateInput';
import { useFieldEnv } from '../fieldTypes/env';
import { isoOf, localOf } from '@/lib/zoned';
import { StateMark } from '../records/StateMark';
import { tablesApi } from '../tablesApi';
import type { RecordEdits, LabelledRecord } from './useRecordEdits';

type Props = {
  readonly siteId: string;
  readonly table: ContentTable;
  readonly record: LabelledRecord;
  readonly edits: RecordEdits;
  readonly onBatches: (batches: readonly string[]) => void;
};
/** When the record is to be published and taken off, as local times; `error`: why the times cannot be set. */
type Plan = { readonly at: string; readonly off: string; readonly error: string };

/** Publishing calls for the record; each resolves with whether it succeeded. */
function usePublishing({ siteId, table, record, edits, onBatches }: Props) {
  const { t } = useTranslation('tableRecord');
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const [busy, setBusy] = useState(false);
  const target = { ids: [record.id] };
  const { publishRecords, unpublishRecords } = tablesApi.endpoints;
  const send = async (
    call: () => PromiseLike<{ data?: { batchId: string | null } | undefined; error?: unknown }>,
    messageKey: 'done' | 'takenOff' | 'scheduled' | 'cancelled',
  ): Promise<boolean> => {
    setBusy(true);
    const { data, error } = await call();
    setBusy(false);
    if (data) {
      if (data.batchId !== null) onBatches([data.batchId]);
      dispatch(noticeShown({ tone: 'good', message: { key: `tableRecord:publish.${messageKey}` }, for: 3000 }));
      return true;
    }
    // The errors that prevent publication are shown at their fields.
    edits.refuse(error);
    notifyFailure(dispatch, error);
    return false;
  };
  const sendPublish = (more: { at?: string; unpublishAt?: string | null; cancel?: boolean }, messageKey: Parameters<typeof send>[1]) =>
    send(() => dispatch(publishRecords.initiate({ siteId, table: table.id, body: { target, ...more } })), messageKey);
  return {
    busy,
    publish: async (): Promise<boolean> => {
      if (edits.dirty && !(await edits.save())) return false;
      return sendPublish({}, 'done');
    },
    takeOff: async (): Promise<boolean> => {
      if (!(await confirm({ title: t('publish.takeOffTitle'), body: t('publish.takeOffText'), confirm: t('publish.takeOff'), danger: true }))) return false;
      return send(() => dispatch(unpublishRecords.initiate({ siteId, table: table.id, body: { target } })), 'takenOff');
    },
    /** ISO times; null: not scheduled. */
    schedule: (at: string | null, off: string | null): Promise<boolean> =>
      sendPublish(at === null ? { cancel: true, unpublishAt: off } : { at, unpublishAt: off }, 'scheduled'),
    cancel: (): Promise<boolean> => sendPublish({ cancel: true, unpublishAt: null }, 'cancelled'),
  };
}
type Publishing = ReturnType<typeof usePublishing>;

type FormProps = {
  readonly plan: Plan;
  readonly onPlan: (plan: Plan | null) => void;
  readonly record: LabelledRecord;
  /** Unsaved changes must be saved first. */ readonly dirty: boolean;
  readonly publishing: Publishing;
};

/** The times at which the record is to be published and taken off. */
const ScheduleForm = ({ plan, onPlan, record, dirty, publishing }: FormProps): ReactElement => {
  const { t } = useTranslation(['tableRecord', 'form']);
  const { timeZone } = useFieldEnv();
  const id = useId();
  const { busy } = publishing;
  const schedule = async (): Promise<void> => {
    const [at, off] = [isoOf(plan.at, timeZone, record.publishAt), isoOf(plan.off, timeZone, record.unpublishAt)];
    const showError = (error: string): void => onPlan({ ...plan, error });
    if ([plan.at, plan.off].some((one) => one !== '' && readMoment('datetime', one) === null)) return showError(t('form:date.momentFormat'));
    if (at === null && off === null) return showError(t('publish.nothing'));
    if ([at, off].some((one) => one !== null && Date.parse(one) <= Date.now())) return showError(t('publish.past'));
    if (at !== null && off !== null && Date.parse(off) <= Date.parse(at)) return showError(t('publish.order'));
    if (await publishing.schedule(at, off)) onPlan(null);
  };
  const cancel = async (): Promise<void> => {
    if (await publishing.cancel()) onPlan(null);
  };
  return (
    <form
      className="rec-plan"
      aria-label={t('publish.scheduleTitle')}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void schedule();
      }}
    >
      {(['at', 'off'] as const).map((name) => (
        <div key={name}>
          <label htmlFor={`${id}${name}`}>{t(name === 'at' ? 'publish.at' : 'publish.offAt')}</label>
          <DateInput id={`${id}${name}`} kind="datetime" small value={plan[name]} onChange={(value) => onPlan({ ...plan, [name]: value, error: '' })} />
        </div>
      ))}
      <Button type="submit" variant="contained" disabled={busy || dirty}>
        {t('publish.set')}
      </Button>
      {(record.publishAt !== null || record.unpublishAt !== null) && (
        <Button disabled={busy} onClick={() => void cancel()}>
          {t('publish.cancel')}
        </Button>
      )}
      <p className={plan.error === '' ? 'tables-quiet-note' : 'tables-error'} {...(plan.error === '' ? {} : { role: 'alert' })}>
        {plan.error || (dirty ? t('publish.saveFirst') : t('publish.zone', { zone: timeZone }))}
      </p>
    </form>
  );
};

/** Whether the record is published, and the actions that change it: now, or at scheduled times in the site's time zone. */
export const PublishBar = (props: Props): ReactElement => {
  const { table, record, edits } = props;
  const { t } = useTranslation('tableRecord');
  const { timeZone, format } = useFieldEnv();
  const publishing = usePublishing(props);
  const { busy } = publishing;
  const [plan, setPlan] = useState<Plan | null>(null);
  return (
    <section className="rec-publish" aria-label={t('publish.label')}>
      <StateMark value={record.state} />
      {record.publishAt !== null && <span className="rec-when">{t('scheduled', { when: format.dateTime(record.publishAt, { timeZone }) })}</span>}
      {record.unpublishAt !== null && <span className="rec-when">{t('scheduledOff', { when: format.dateTime(record.unpublishAt, { timeZone }) })}</span>}
      {table.may.includes('publish') && (
        <span className="rec-acts">
          {record.state !== 'draft' && (
            <Button disabled={busy} onClick={() => void publishing.takeOff()}>
              {t('publish.takeOff')}
            </Button>
          )}
          <Button
            aria-expanded={plan !== null}
            disabled={busy}
            onClick={() => setPlan(plan ? null : { at: localOf(record.publishAt, timeZone), off: localOf(record.unpublishAt, timeZone), error: '' })}
          >
            {t('publish.schedule')}
          </Button>
          {(record.state !== 'published' || edits.dirty) && (
            <Button variant="contained" disabled={busy || edits.busy} aria-busy={busy} onClick={() => void publishing.publish()}>
              {t(edits.dirty ? 'publish.saveAndNow' : 'publish.now')}
            </Button>
          )}
        </span>
      )}
      {plan && <ScheduleForm plan={plan} onPlan={setPlan} record={record} dirty={edits.dirty} publishing={publishing} />}
    </section>
  );
};
