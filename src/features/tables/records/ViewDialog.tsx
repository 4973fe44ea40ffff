import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { viewScopes } from '@contract/tables/views';
import type { RecordView, ViewQuery } from '@contract/tables/views';
import type { ViewKind } from '@contract/tables/terms';
import { safeName } from '@contract/text';
import { isFailure, isStale } from '@/store/failure';
import type { ApiFailure } from '@/store/failure';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Form } from '@/ui/form/Form';
import { RadioCards } from '@/ui/form/RadioCards';
import { TextField } from '@/ui/form/TextField';
import { setServerErrors, useContractForm } from '@/ui/form/useContractForm';
import { useAddViewMutation, useChangeViewMutation } from '../tablesApi';
import type { ViewRights } from './ViewTabs';

const Input = z.object({ title: safeName(60), scope: z.enum(viewScopes) });

/** Creates a view of what is on screen, or edits the name and scope of an existing view. */
export const ViewDialog = ({
  siteId,
  table,
  view,
  kind,
  query,
  title,
  rights,
  onClose,
  onSaved,
}: {
  readonly siteId: string;
  readonly table: string;
  /** null: a new view. */ readonly view: RecordView | null;
  readonly kind: ViewKind;
  readonly query: ViewQuery;
  readonly title: string;
  readonly rights: ViewRights;
  readonly onClose: () => void;
  readonly onSaved: (view: RecordView) => void;
}): ReactElement => {
  const { t } = useTranslation('tables');
  const id = useId();
  const [add, adding] = useAddViewMutation();
  const [change, changing] = useChangeViewMutation();
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const form = useContractForm(Input, { defaultValues: { title, scope: view?.scope ?? (rights.shares ? 'shared' : 'personal') } });
  const busy = adding.isLoading || changing.isLoading;
  const submit = async (input: z.output<typeof Input>) => {
    setFailure(null);
    const answer =
      view === null
        ? await add({ siteId, table, body: { ...input, kind, query } })
        : await change({ siteId, table, view: view.id, revision: view.revision, body: input });
    if (answer.data) onSaved(answer.data);
    else if (isFailure(answer.error) && !setServerErrors(form, answer.error)) setFailure(answer.error);
  };
  const scopes = viewScopes.filter((scope) => scope === 'personal' || (scope === 'shared' ? rights.shares : rights.locks) || scope === view?.scope);
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} fullWidth maxWidth="xs">
      <Form form={form} onSubmit={submit}>
        <DialogTitle id={id}>{t(view === null ? 'views.addTitle' : 'views.editTitle')}</DialogTitle>
        <DialogContent sx={{ display: 'grid', gap: 2.5 }}>
          {failure && <ErrorPanel title={isStale(failure) ? t('views.stale') : t('failed')} failure={failure} />}
          <TextField control={form.control} name="title" label={t('views.name')} maxLength={60} autoFocus messages={{ required: t('views.nameFault') }} />
          <RadioCards
            control={form.control}
            name="scope"
            label={t('views.scopeLabel')}
            choices={scopes.map((value) => ({ value, label: t(`views.scope.${value}`), detail: t(`views.scopeHelp.${value}`) }))}
          />
        </DialogContent>
        <DialogActions sx={{ padding: '8px 24px 16px', position: 'sticky', bottom: 0, bgcolor: 'background.paper', zIndex: 1 }}>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" variant="contained" aria-busy={busy} disabled={busy}>
            {t(busy ? 'saving' : 'save')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
};
