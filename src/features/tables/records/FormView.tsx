import { Button, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ViewQuery } from '@contract/tables/views';
import type { ContentTable } from '@contract/tables/schemas';
import { EmptyState } from '@/ui/EmptyState';
import { fillableFields } from './fillableFields';
import { RecordForm } from './RecordForm';
import { useNewRecord } from './useNewRecord';
import { visibleColumnsOf } from './viewState';

/** The table as a form, to fill in one record after another. */
export const FormView = ({
  siteId,
  table,
  query,
  locale,
  onBatches,
}: {
  readonly siteId: string;
  readonly table: ContentTable;
  readonly query: ViewQuery;
  readonly locale: string | undefined;
  readonly onBatches: (batches: readonly string[]) => void;
}): ReactElement => {
  const { t } = useTranslation('tables');
  const [done, setDone] = useState(false);
  const order = visibleColumnsOf(table, query).map(({ field }) => field);
  const inputFields = fillableFields(table, query.columns === null ? undefined : order);
  // The form layout orders the fields of the view; without one, the view does.
  const fields = table.layout ? inputFields : [...inputFields].sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
  const form = useNewRecord({
    siteId,
    table,
    fields,
    presetValues: {},
    locale,
    onSaved: (batches) => {
      onBatches(batches);
      setDone(true);
    },
  });
  if (!table.may.includes('create')) return <EmptyState kind="noRight" title={t('form.noCreate')} />;
  return (
    <div className="tables-form">
      <Typography variant="h1" component="h2">
        {query.formTitle === '' ? table.title : query.formTitle}
      </Typography>
      {query.formNote !== '' && (
        <Typography variant="body2" sx={{ color: 'text.secondary', whiteSpace: 'pre-line', mt: 0.5 }}>
          {query.formNote}
        </Typography>
      )}
      {done ? (
        <div role="status" className="tables-done">
          <p>{query.formThanks === '' ? t('form.thanks') : query.formThanks}</p>
          <Button variant="contained" onClick={() => setDone(false)}>
            {t('form.another')}
          </Button>
        </div>
      ) : (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void form.submit();
          }}
        >
          <RecordForm table={table} record={form} />
          <Button type="submit" variant="contained" disabled={form.busy} aria-busy={form.busy} sx={{ mt: 3 }}>
            {t(form.busy ? 'form.submitting' : 'form.submit')}
          </Button>
        </form>
      )}
    </div>
  );
};
