import { Alert, Box, Button, Checkbox, FormControlLabel, Typography } from '@mui/material';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { Controller, useFormState, useWatch } from 'react-hook-form';
import type { Control } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { webhookEvents } from '@contract/tables/webhooks';
import type { Webhook, CreatedWebhook } from '@contract/tables/webhooks';
import type { ContentTable } from '@contract/tables/schemas';
import { useFormDraft } from '@/features/session/useFormDraft';
import { useUnsavedWork } from '@/features/session/useUnsavedWork';
import { isFailure, isStale } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { CheckboxGroup } from '@/ui/form/CheckboxGroup';
import { Form } from '@/ui/form/Form';
import { RadioCards } from '@/ui/form/RadioCards';
import { TextField } from '@/ui/form/TextField';
import { setServerErrors, useContractForm } from '@/ui/form/useContractForm';
import { LeaveDialog } from '@/ui/LeaveDialog';
import { FilterBuilder } from '@/features/tables/records/FilterBuilder';
import '@/features/tables/records/records.css';
import { WebhookDraft, bodyOf, changeOf, draftOf, mayLimit } from './webhookDraft';
import { useAddHookMutation, useChangeHookMutation } from './webhooksApi';
import { useWebhookLabels } from './useWebhookLabels';

type Typing = { readonly dirty: boolean; readonly discard: () => void };
type Props = {
  readonly siteId: string;
  readonly tables: readonly ContentTable[];
  /** null: a new webhook. */ readonly hook: Webhook | null;
  readonly onTyping: (typing: Typing) => void;
  readonly onMade: (createdHook: CreatedWebhook) => void;
  readonly onSaved: (hook: Webhook) => void;
};
type FormControl = Control<WebhookDraft, unknown, WebhookDraft>;

/** The form of a webhook: its draft, and saving the differences from the webhook as it was opened. */
function useWebhookForm({ siteId, hook, onTyping, onMade, onSaved }: Omit<Props, 'tables'>) {
  const [base] = useState(hook);
  const [revision, setRevision] = useState(hook?.revision ?? 0);
  const [stale, setStale] = useState(false);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [add, adding] = useAddHookMutation();
  const [change, changing] = useChangeHookMutation();
  const form = useContractForm(WebhookDraft, { defaultValues: draftOf(base) });
  const { isDirty } = useFormState({ control: form.control });
  const { drop } = useFormDraft(form, `tables.hook:${siteId}:${base?.id ?? 'new'}`);
  useEffect(() => onTyping({ dirty: isDirty, discard: drop }), [isDirty, drop, onTyping]);
  const showRefused = (error: unknown) => {
    if (!isFailure(error)) return;
    if (isStale(error)) {
      setRevision((error.current as Webhook).revision);
      setStale(true);
    } else if (!setServerErrors(form, error, { filter: 'conditions' })) setFailure(error);
  };
  const create = async (draft: WebhookDraft) => {
    const call = add({ siteId, body: bodyOf(draft) });
    const { data, error } = await call;
    // The secret must not remain in the store.
    call.reset();
    if (!data) return showRefused(error);
    drop();
    return onMade(data);
  };
  const update = async (before: Webhook, draft: WebhookDraft) => {
    const { data, error } = await change({ siteId, hook: before.id, revision, body: changeOf(before, draft) });
    if (!data) return showRefused(error);
    drop();
    return onSaved(data);
  };
  const submit = async (draft: WebhookDraft) => {
    setFailure(null);
    setStale(false);
    return base === null ? create(draft) : update(base, draft);
  };
  return { form, base, isDirty, stale, failure, busy: adding.isLoading || changing.isLoading, submit };
}

const UrlField = ({ control }: { readonly control: FormControl }): ReactElement => {
  const { t } = useTranslation('tableHooks');
  const url = useWatch({ control, name: 'url' });
  return (
    <TextField
      control={control}
      name="url"
      label={t('form.url')}
      help={t(/^http:\/\//i.test(url.trim()) ? 'form.urlHttp' : 'form.urlHelp')}
      placeholder="https://example.com/webhooks"
      type="url"
      inputMode="url"
      verbatim
      autoComplete="off"
      messages={{ reserved: t('form.urlReserved'), not_a_url: t('form.urlBad'), required: t('form.urlBad'), pattern: t('form.urlBad') }}
    />
  );
};

/** All tables of the site, or selected ones. `base`: its removed tables can be deselected. */
const TableScope = ({
  control,
  tables,
  base,
}: {
  readonly control: FormControl;
  readonly tables: readonly ContentTable[];
  readonly base: Webhook | null;
}): ReactElement => {
  const { t } = useTranslation('tableHooks');
  const reach = useWatch({ control, name: 'reach' });
  const gone = (base?.tables ?? []).filter((id) => !tables.some((one) => one.id === id));
  return (
    <>
      <RadioCards
        control={control}
        name="reach"
        label={t('form.reach')}
        help={t('form.privacy')}
        choices={[
          { value: 'all', label: t('form.all'), detail: t('form.allText') },
          { value: 'some', label: t('form.some'), detail: t('form.someText') },
        ]}
      />
      {reach === 'some' && (
        <Box sx={{ maxHeight: 260, overflow: 'auto', pl: 1.5, borderLeft: 2, borderColor: 'divider' }}>
          <CheckboxGroup
            control={control}
            name="tables"
            label={t('form.tables')}
            messages={{ pattern: t('form.tablesNeeded'), too_short: t('form.tablesNeeded'), unknown: t('form.tableGone') }}
            choices={[...tables.map(({ id, title }) => ({ value: id, label: title })), ...gone.map((id) => ({ value: id, label: t('goneTable') }))]}
          />
        </Box>
      )}
    </>
  );
};

/** The conditions on records of the single selected table. */
const Conditions = ({
  control,
  siteId,
  tables,
  table,
}: {
  readonly control: FormControl;
  readonly siteId: string;
  readonly tables: readonly ContentTable[];
  readonly table: ContentTable;
}): ReactElement => {
  const { t } = useTranslation('tableHooks');
  const { errors } = useFormState({ control });
  return (
    <Box sx={{ mt: 1.5 }}>
      <Controller
        control={control}
        name="conditions"
        render={({ field }) => (
          <FilterBuilder
            draft={field.value}
            table={{ ...table, fields: table.fields.filter((one) => !one.sensitive && one.type !== 'password') }}
            context={{ siteId, tables, people: {} }}
            onChange={field.onChange}
          />
        )}
      />
      {errors.conditions && (
        <Typography variant="caption" role="alert" sx={{ color: 'error.main' }}>
          {t(errors.conditions.type === 'server' ? 'form.filterBad' : 'form.filterIncomplete')}
        </Typography>
      )}
    </Box>
  );
};

/** Whether the webhook is limited to some records; this requires exactly one table. */
const RecordScope = ({
  control,
  siteId,
  tables,
}: {
  readonly control: FormControl;
  readonly siteId: string;
  readonly tables: readonly ContentTable[];
}): ReactElement | null => {
  const { t } = useTranslation('tableHooks');
  const [reach, chosen, limited] = useWatch({ control, name: ['reach', 'tables', 'limited'] });
  if (reach !== 'some') return null;
  const table = mayLimit({ reach, tables: chosen }) ? tables.find((one) => one.id === chosen[0]) : undefined;
  return (
    <div>
      <Controller
        control={control}
        name="limited"
        render={({ field }) => (
          <FormControlLabel
            control={<Checkbox checked={field.value && table !== undefined} disabled={table === undefined} onChange={(_event, on) => field.onChange(on)} />}
            label={<Typography variant="body2">{t('form.filter')}</Typography>}
          />
        )}
      />
      <Typography variant="caption" component="p" sx={{ m: 0, pl: 3.5, color: 'text.secondary' }}>
        {t(table ? 'form.filterText' : 'form.filterOne')}
      </Typography>
      {table && limited && <Conditions control={control} siteId={siteId} tables={tables} table={table} />}
    </div>
  );
};

/** The definition of a webhook: its URL, and the events, tables and records that it covers. */
export const WebhookForm = ({ onCancel, ...props }: Props & { readonly onCancel: () => void }): ReactElement => {
  const { t } = useTranslation('tableHooks');
  const { siteId, tables } = props;
  const labels = useWebhookLabels();
  const { form, base, isDirty, stale, failure, busy, submit } = useWebhookForm(props);
  const { control } = form;
  const blocker = useUnsavedWork(isDirty);
  return (
    <Form form={form} onSubmit={submit} label={t(base ? 'form.edit' : 'form.new')}>
      <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 3, px: 3, pt: 1, pb: 3 }}>
        {stale && (
          <Alert severity="warning" variant="outlined">
            {t('form.stale')}
          </Alert>
        )}
        {failure && <ErrorPanel failure={failure} title={t('failed')} />}
        <TextField control={control} name="name" label={t('form.name')} help={t('form.nameHelp')} maxLength={60} autoFocus={base === null} autoComplete="off" />
        <UrlField control={control} />
        <CheckboxGroup
          control={control}
          name="events"
          label={t('form.events')}
          messages={{ too_short: t('form.eventsNeeded'), out_of_range: t('form.eventsNeeded') }}
          choices={webhookEvents.map((value) => ({ value, label: labels.event(value) }))}
        />
        <TableScope control={control} tables={tables} base={base} />
        <RecordScope control={control} siteId={siteId} tables={tables} />
      </Box>
      <Box className="hook-foot" sx={{ bgcolor: 'background.paper' }}>
        <Button onClick={onCancel}>{t('cancel')}</Button>
        <Button type="submit" variant="contained" aria-busy={busy}>
          {t(base ? 'save' : 'form.add')}
        </Button>
      </Box>
      <LeaveDialog blocker={blocker} />
    </Form>
  );
};
