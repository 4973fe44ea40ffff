import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { useId } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { viewScopes } from '@contract/tables/views';
import type { RecordView, ViewQuery } from '@contract/tables/views';
import type { ViewKind } from '@contract/tables/terms';
import { safeName } from '@contract/text';
import { isStale } from '@/lib/failure';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Form } from '@/ui/form/Form';
import { RadioCards } from '@/ui/form/RadioCards';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
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
  const [add] = useAddViewMutation();
  const [change] = useChangeViewMutation();
  const form = useContractForm(Input, { defaultValues: { title, scope: view?.scope ?? (rights.shares ? 'shared' : 'personal') } });
  const { submit, busy, failure } = useSubmit(form, {
    send: async (input: z.output<typeof Input>) =>
      view === null ? add({ siteId, table, body: { ...input, kind, query } }) : change({ siteId, table, view: view.id, revision: view.revision, body: input }),
    onSuccess: onSaved,
  });
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
