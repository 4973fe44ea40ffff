import { Button } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContentTable } from '@contract/tables/schemas';
import { failureMessage, noticeShown } from '@/features/notices/noticesSlice';
import { isFailure } from '@/store/failure';
import { useAppDispatch } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { useFieldEnv } from '../fieldTypes/env';
import { instantOf, wallOf } from '../fieldTypes/zoned';
import { StateMark } from '../records/StateMark';
import { tablesApi } from '../tablesApi';
import type { RecordEdits, LabelledRecord } from './useRecordEdits';

const localOf = (iso: string | null, zone: string): string => {
  const wall = iso === null ? null : wallOf(iso, zone);
  return wall ? `${wall.day}T${wall.time.slice(0, 5)}` : '';
};
/** null: empty or not a valid time. */
const isoOf = (local: string, zone: string): string | null => {
  const [day = '', time = ''] = local.split('T');
  return day === '' || time === '' ? null : instantOf(day, time, zone);
};

/** Whether the record is published, and the actions that change it: now, or at scheduled times in the site's time zone. */
export const PublishBar = ({
  siteId,
  table,
  record,
  edits,
  onBatches,
}: {
  readonly siteId: string;
  readonly table: ContentTable;
  readonly record: LabelledRecord;
  readonly edits: RecordEdits;
  readonly onBatches: (batches: readonly string[]) => void;
}): ReactElement => {
  const { t } = useTranslation('tableRecord');
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const { timeZone, format } = useFieldEnv();
  const id = useId();
  const [busy, setBusy] = useState(false);
  const [plan, setPlan] = useState<{ readonly at: string; readonly off: string; readonly error: string } | null>(null);
  const mayPublish = table.may.includes('publish');
  const target = { ids: [record.id] };
  const { publishRecords, unpublishRecords } = tablesApi.endpoints;

  const send = async (
    call: () => PromiseLike<{ data?: { batchId: string | null } | undefined; error?: unknown }>,
    messageKey: 'done' | 'takenOff' | 'scheduled' | 'cancelled',
  ) => {
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
    if (isFailure(error)) dispatch(noticeShown({ tone: 'bad', message: failureMessage(error), requestId: error.requestId }));
    return false;
  };
  const body = (more: { at?: string; unpublishAt?: string | null; cancel?: boolean }) => ({ siteId, table: table.id, body: { target, ...more } });
  const publish = async (): Promise<void> => {
    if (edits.dirty && !(await edits.save())) return;
    await send(() => dispatch(publishRecords.initiate(body({}))), 'done');
  };
  const takeOff = async (): Promise<void> => {
    if (!(await confirm({ title: t('publish.takeOffTitle'), body: t('publish.takeOffText'), confirm: t('publish.takeOff'), danger: true }))) return;
    await send(() => dispatch(unpublishRecords.initiate({ siteId, table: table.id, body: { target } })), 'takenOff');
  };
  const schedule = async (): Promise<void> => {
    if (!plan) return;
    const [at, off] = [isoOf(plan.at, timeZone), isoOf(plan.off, timeZone)];
    const wrong = (error: string): void => setPlan({ ...plan, error });
    if (at === null && off === null) return wrong(t('publish.nothing'));
    if ([at, off].some((one) => one !== null && Date.parse(one) <= Date.now())) return wrong(t('publish.past'));
    if (at !== null && off !== null && Date.parse(off) <= Date.parse(at)) return wrong(t('publish.order'));
    const request = at === null ? body({ cancel: true, unpublishAt: off }) : body({ at, unpublishAt: off });
    if (await send(() => dispatch(publishRecords.initiate(request)), 'scheduled')) setPlan(null);
  };
  const cancel = async (): Promise<void> => {
    if (await send(() => dispatch(publishRecords.initiate(body({ cancel: true, unpublishAt: null }))), 'cancelled')) setPlan(null);
  };
  const timed = record.publishAt !== null || record.unpublishAt !== null;
  return (
    <section className="rec-publish" aria-label={t('publish.label')}>
      <StateMark value={record.state} />
      {record.publishAt !== null && <span className="rec-when">{t('scheduled', { when: format.dateTime(record.publishAt, { timeZone }) })}</span>}
      {record.unpublishAt !== null && <span className="rec-when">{t('scheduledOff', { when: format.dateTime(record.unpublishAt, { timeZone }) })}</span>}
      {mayPublish && (
        <span className="rec-acts">
          {record.state !== 'draft' && (
            <Button size="small" disabled={busy} onClick={() => void takeOff()}>
              {t('publish.takeOff')}
            </Button>
          )}
          <Button
            size="small"
            aria-expanded={plan !== null}
            disabled={busy}
            onClick={() => setPlan(plan ? null : { at: localOf(record.publishAt, timeZone), off: localOf(record.unpublishAt, timeZone), error: '' })}
          >
            {t('publish.schedule')}
          </Button>
          {(record.state !== 'published' || edits.dirty) && (
            <Button size="small" variant="contained" disabled={busy || edits.busy} aria-busy={busy} onClick={() => void publish()}>
              {t(edits.dirty ? 'publish.saveAndNow' : 'publish.now')}
            </Button>
          )}
        </span>
      )}
      {plan && (
        <form
          className="rec-plan"
          aria-label={t('publish.scheduleTitle')}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void schedule();
          }}
        >
          <label htmlFor={`${id}at`}>
            {t('publish.at')}
            <input
              id={`${id}at`}
              className="tables-input"
              type="datetime-local"
              value={plan.at}
              onChange={(event) => setPlan({ ...plan, at: event.currentTarget.value, error: '' })}
            />
          </label>
          <label htmlFor={`${id}off`}>
            {t('publish.offAt')}
            <input
              id={`${id}off`}
              className="tables-input"
              type="datetime-local"
              value={plan.off}
              onChange={(event) => setPlan({ ...plan, off: event.currentTarget.value, error: '' })}
            />
          </label>
          <Button type="submit" size="small" variant="contained" disabled={busy || edits.dirty}>
            {t('publish.set')}
          </Button>
          {timed && (
            <Button size="small" disabled={busy} onClick={() => void cancel()}>
              {t('publish.cancel')}
            </Button>
          )}
          <p className={plan.error === '' ? 'tables-quiet-note' : 'tables-fault'} {...(plan.error === '' ? {} : { role: 'alert' })}>
            {plan.error || (edits.dirty ? t('publish.saveFirst') : t('publish.zone', { zone: timeZone }))}
          </p>
        </form>
      )}
    </section>
  );
};
