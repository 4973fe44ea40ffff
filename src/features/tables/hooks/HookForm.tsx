import { Alert, Box, Button, Checkbox, FormControlLabel, Typography } from '@mui/material';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { Controller, useFormState, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { hookEvents } from '@contract/tables/webhooks';
import type { Hook, HookMade } from '@contract/tables/webhooks';
import type { ContentTable } from '@contract/tables/schemas';
import { useFormDraft } from '@/features/session/useFormDraft';
import { useUnsavedWork } from '@/features/session/useUnsavedWork';
import { isFailure, isStale } from '@/store/failure';
import type { ApiFailure } from '@/store/failure';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { CheckboxGroup } from '@/ui/form/CheckboxGroup';
import { Form } from '@/ui/form/Form';
import { RadioCards } from '@/ui/form/RadioCards';
import { TextField } from '@/ui/form/TextField';
import { setServerErrors, useContractForm } from '@/ui/form/useContractForm';
import { LeaveDialog } from '@/ui/LeaveDialog';
import { FilterBuilder } from '../records/FilterBuilder';
import '../records/records.css';
import { HookDraft, bodyOf, changeOf, draftOf, mayLimit } from './hookDraft';
import { useAddHookMutation, useChangeHookMutation } from './hooksApi';
import { useHookWords } from './words';

type Typing = { readonly dirty: boolean; readonly discard: () => void };

/** What a webhook is: where to, which events, which tables, which records. */
export const HookForm = ({
  siteId,
  tables,
  hook,
  onTyping,
  onMade,
  onSaved,
  onCancel,
}: {
  readonly siteId: string;
  readonly tables: readonly ContentTable[];
  /** null: a new one. */ readonly hook: Hook | null;
  readonly onTyping: (typing: Typing) => void;
  readonly onMade: (made: HookMade) => void;
  readonly onSaved: (hook: Hook) => void;
  readonly onCancel: () => void;
}): ReactElement => {
  const { t } = useTranslation('tableHooks');
  const words = useHookWords();
  // As it was opened: what is sent is what differs from it.
  const [base] = useState(hook);
  const [revision, setRevision] = useState(hook?.revision ?? 0);
  const [stale, setStale] = useState(false);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [add, adding] = useAddHookMutation();
  const [change, changing] = useChangeHookMutation();
  const form = useContractForm(HookDraft, { defaultValues: draftOf(base) });
  const { control } = form;
  const { isDirty, errors } = useFormState({ control });
  const { drop } = useFormDraft(form, `tables.hook:${siteId}:${base?.id ?? 'new'}`);
  const blocker = useUnsavedWork(isDirty);
  useEffect(() => onTyping({ dirty: isDirty, discard: drop }), [isDirty, drop, onTyping]);
  const [url, reach, chosen, limited] = useWatch({ control, name: ['url', 'reach', 'tables', 'limited'] });
  const only = mayLimit({ reach, tables: chosen }) ? tables.find((one) => one.id === chosen[0]) : undefined;
  // What has been chosen before and is gone may be taken out of the list.
  const gone = (base?.tables ?? []).filter((id) => !tables.some((one) => one.id === id));

  const submit = async (draft: HookDraft) => {
    setFailure(null);
    setStale(false);
    if (base === null) {
      const call = add({ siteId, body: bodyOf(draft) });
      const { data, error } = await call;
      // A secret does not stay in the store.
      call.reset();
      if (data) {
        drop();
        return onMade(data);
      }
      return refused(error);
    }
    const { data, error } = await change({ siteId, hook: base.id, revision, body: changeOf(base, draft) });
    if (data) {
      drop();
      return onSaved(data);
    }
    return refused(error);
  };
  const refused = (error: unknown) => {
    if (!isFailure(error)) return;
    if (isStale(error)) {
      setRevision((error.current as Hook).revision);
      setStale(true);
    } else if (!setServerErrors(form, error, { filter: 'conditions' })) setFailure(error);
  };
  const busy = adding.isLoading || changing.isLoading;
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
          words={{ reserved: t('form.urlReserved'), not_a_url: t('form.urlBad'), required: t('form.urlBad'), pattern: t('form.urlBad') }}
        />
        <CheckboxGroup
          control={control}
          name="events"
          label={t('form.events')}
          words={{ too_short: t('form.eventsNeeded'), out_of_range: t('form.eventsNeeded') }}
          choices={hookEvents.map((value) => ({ value, label: words.event(value) }))}
        />
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
              words={{ pattern: t('form.tablesNeeded'), too_short: t('form.tablesNeeded'), unknown: t('form.tableGone') }}
              choices={[...tables.map(({ id, title }) => ({ value: id, label: title })), ...gone.map((id) => ({ value: id, label: t('goneTable') }))]}
            />
          </Box>
        )}
        {reach === 'some' && (
          <div>
            <Controller
              control={control}
              name="limited"
              render={({ field }) => (
                <FormControlLabel
                  control={
                    <Checkbox
                      size="small"
                      checked={field.value && only !== undefined}
                      disabled={only === undefined}
                      onChange={(_event, on) => field.onChange(on)}
                    />
                  }
                  label={<Typography variant="body2">{t('form.filter')}</Typography>}
                />
              )}
            />
            <Typography variant="caption" component="p" sx={{ m: 0, pl: 3.5, color: 'text.secondary' }}>
              {t(only ? 'form.filterText' : 'form.filterOne')}
            </Typography>
            {only && limited && (
              <Box sx={{ mt: 1.5 }}>
                <Controller
                  control={control}
                  name="conditions"
                  render={({ field }) => (
                    <FilterBuilder
                      draft={field.value}
                      table={{ ...only, fields: only.fields.filter((one) => !one.sensitive && one.type !== 'password') }}
                      scene={{ siteId, tables, people: {} }}
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
            )}
          </div>
        )}
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
