import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { isComputed } from '@contract/tables/terms';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/PlainButton';
import { FieldIcon } from '@/features/tables/records/icons';
import { ConversionPart } from '@/features/tables/schema/conversion/ConversionPart';
import { FieldIndexPart } from '@/features/tables/schema/conversion/FieldIndexPart';
import { FieldUsagePart } from '@/features/tables/schema/conversion/FieldUsagePart';
import { DefaultPart } from './DefaultPart';
import type { Editing } from './editing';
import { GeneralPart } from './GeneralPart';
import { OptionsPart } from './OptionsPart';
import { isPartName, RefusedParts } from './RefusedParts';
import { RemoveField } from './RemoveField';
import { ConditionsPart, RulesPart } from './RulesPart';
import { useFieldEditing } from './useFieldEditing';
import type { FieldOfTable } from './useFieldEditing';

/** Notices of concurrent changes by others, and of a restored draft. */
const DraftNotices = ({ stale, conflicts, restored }: Pick<ReturnType<typeof useFieldEditing>, 'stale' | 'conflicts' | 'restored'>): ReactElement => {
  const { t } = useTranslation('tableDesign');
  const partLabel = (name: string): string => (isPartName(name) ? t(`edit.part.${name}`) : name);
  return (
    <>
      {(stale || conflicts.length > 0) && (
        <div className="error-panel" role="alert">
          <p>{t('edit.staleTitle')}</p>
          <p>{t('edit.staleText')}</p>
          {conflicts.length > 0 && <p>{t('edit.staleBoth', { parts: conflicts.map(partLabel).join(t('edit.comma')) })}</p>}
        </div>
      )}
      {restored && (
        <p className="design-quiet" role="status" style={{ marginTop: 12 }}>
          {t('edit.restored')}
        </p>
      )}
    </>
  );
};

/** All parts of a field's definition. */
const FieldParts = (editing: Editing): ReactElement => {
  const { site, tables, table, field, draft, mayDesign } = editing;
  return (
    <>
      {field && <ConversionPart site={site} tables={tables} table={table} field={field} mayDesign={mayDesign} />}
      <GeneralPart {...editing} />
      <OptionsPart {...editing} />
      {!isComputed(draft.type) && (
        <>
          <DefaultPart {...editing} />
          <RulesPart {...editing} />
          <ConditionsPart {...editing} />
        </>
      )}
      {field && <FieldIndexPart site={site} table={table} field={field} mayDesign={mayDesign} />}
      {field && <FieldUsagePart site={site} table={table} field={field} />}
    </>
  );
};

/** The editor of a new or existing field, in the pane beside the list. Its draft outlives the pane, even when another field is opened. */
export const FieldPane = ({
  onClose,
  onAdded,
  onRetype,
  ...of
}: FieldOfTable & { readonly onClose: () => void; readonly onAdded: (id: string) => void; readonly onRetype: () => void }): ReactElement => {
  const { t } = useTranslation('tableDesign');
  const { site, table, field, type, mayDesign } = of;
  const { editing, fieldErrors, failure, stale, conflicts, restored, dirty, busy, save, discard } = useFieldEditing({ ...of, onAdded });
  return (
    <form
      className="design-pane"
      noValidate
      aria-label={field?.title ?? t('edit.newTitle')}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy && mayDesign && (dirty || !field)) void save();
      }}
    >
      <header>
        <FieldIcon column={{ field: { type: editing.draft.type } }} size={18} />
        <h2 tabIndex={-1}>{field?.title ?? `${t('edit.newTitle')} · ${t(`type.${type}`)}`}</h2>
        <IconButton label={t('fields.back')} onClick={onClose}>
          <Icon name="close" size={16} />
        </IconButton>
      </header>
      <div className="design-body">
        <RefusedParts fieldErrors={fieldErrors} errorAt={editing.errorAt} />
        {failure && <ErrorPanel title={t('failed')} failure={failure} />}
        <DraftNotices stale={stale} conflicts={conflicts} restored={restored} />
        <FieldParts {...editing} />
      </div>
      {mayDesign && (
        <div className="design-foot">
          <Button type="submit" variant="contained" aria-busy={busy} disabled={busy || (field !== null && !dirty)}>
            {t(busy ? 'saving' : field ? 'save' : 'edit.add')}
          </Button>
          {field ? dirty && <Button onClick={discard}>{t('edit.discard')}</Button> : <Button onClick={onRetype}>{t('palette.back')}</Button>}
          {field && <RemoveField site={site} table={table} field={field} onRemoved={onClose} />}
        </div>
      )}
    </form>
  );
};
