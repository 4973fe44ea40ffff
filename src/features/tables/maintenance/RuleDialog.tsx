import { Button, Checkbox, Dialog, DialogActions, DialogContent, DialogTitle, FormControlLabel, Radio, RadioGroup, Typography } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { allowedByDefault } from '@contract/tables/terms';
import type { RecordAction, RuleRole } from '@contract/tables/terms';
import type { ContentTable } from '@contract/tables/schemas';
import { FieldGroup } from '@/ui/form/Field';
import { FilterBuilder } from '@/features/tables/records/FilterBuilder';
import { emptyGroup, fromFilter, newRule, toFilter } from '@/features/tables/records/filterModel';
import { FieldIcon } from '@/features/tables/records/icons';
import { hasFields } from './rulesDraft';
import type { Rule } from './rulesDraft';

type Choice = 'default' | 'allow' | 'deny';

/** Radio buttons, each with a description. */
const Options = <V extends string>({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: V;
  readonly options: readonly { readonly value: V; readonly label: string; readonly text?: string }[];
  readonly onChange: (value: V) => void;
}): ReactElement => (
  <FieldGroup label={label}>
    <RadioGroup value={value} onChange={(_event, next) => onChange(next as V)}>
      {options.map((one) => (
        <FormControlLabel
          key={one.value}
          value={one.value}
          control={<Radio />}
          sx={{ alignItems: 'flex-start', my: 0.25 }}
          label={
            <Typography component="span" variant="body2" sx={{ display: 'block', pt: '9px' }}>
              {one.label}
              {one.text !== undefined && (
                <Typography component="span" variant="caption" sx={{ display: 'block', color: 'text.secondary' }}>
                  {one.text}
                </Typography>
              )}
            </Typography>
          }
        />
      ))}
    </RadioGroup>
  </FieldGroup>
);

type RuleTarget = { readonly role: RuleRole; readonly action: RecordAction };

/** The rule being edited; `rule` is undefined while its conditions are incomplete. */
function useRuleEditing(table: ContentTable, { role, action }: RuleTarget, before: Rule) {
  const [choice, setChoice] = useState<Choice>(before === null ? 'default' : before.allowed ? 'allow' : 'deny');
  const [isFieldsLimited, setFieldsLimited] = useState(before?.fields != null);
  const [fields, setFields] = useState<ReadonlySet<string>>(
    () => new Set(before?.fields ?? table.fields.filter((one) => role === 'editor' || !one.sensitive).map(({ id }) => id)),
  );
  const [isFiltered, setFiltered] = useState(before?.filter != null);
  const [draft, setDraft] = useState(() => fromFilter(before?.filter ?? null));
  const filter = isFiltered ? toFilter(draft) : null;
  const ruleOf = (): Rule | undefined => {
    if (choice === 'default') return null;
    if (choice === 'deny') return { allowed: false, fields: null, filter: null };
    if (isFiltered && filter === null) return undefined;
    return { allowed: true, fields: isFieldsLimited && hasFields(action) ? table.fields.flatMap(({ id }) => (fields.has(id) ? [id] : [])) : null, filter };
  };
  return {
    rule: ruleOf(),
    choice,
    setChoice,
    isFieldsLimited,
    setFieldsLimited,
    fields,
    setFields,
    isFiltered,
    setFiltered: (on: boolean): void => {
      setFiltered(on);
      const first = newRule(table);
      if (on && draft.items.length === 0 && first) setDraft(emptyGroup('and', [first]));
    },
    draft,
    setDraft,
  };
}
type RuleEditing = ReturnType<typeof useRuleEditing>;

/** Which fields the rule covers. */
const FieldChecks = ({ table, fields, setFields }: Pick<RuleEditing, 'fields' | 'setFields'> & { readonly table: ContentTable }): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const toggle = (id: string, on: boolean): void => {
    const next = new Set(fields);
    if (on) next.add(id);
    else next.delete(id);
    setFields(next);
  };
  return (
    <div className="admin-fields" role="group" aria-label={t('rules.someFields')}>
      <div className="design-line">
        <Button onClick={() => setFields(new Set(table.fields.map(({ id }) => id)))}>{t('rules.chooseAll')}</Button>
        <Button onClick={() => setFields(new Set())}>{t('rules.chooseNone')}</Button>
      </div>
      {table.fields.map((field) => (
        <FormControlLabel
          key={field.id}
          control={<Checkbox checked={fields.has(field.id)} onChange={(_event, on) => toggle(field.id, on)} />}
          label={
            <span className="admin-field">
              <FieldIcon column={{ field }} />
              {field.title}
              {field.sensitive && <small>{t('rules.sensitive')}</small>}
            </span>
          }
        />
      ))}
    </div>
  );
};

/** All fields, or selected ones. */
const FieldScope = ({ table, target, editing }: { readonly table: ContentTable; readonly target: RuleTarget; readonly editing: RuleEditing }): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  return (
    <div>
      <Options<'all' | 'some'>
        label={t('rules.fieldsLabel')}
        value={editing.isFieldsLimited ? 'some' : 'all'}
        onChange={(next) => editing.setFieldsLimited(next === 'some')}
        options={[
          { value: 'all', label: t('rules.allFields'), text: t(target.role === 'editor' ? 'rules.allFieldsText.editor' : 'rules.allFieldsText.other') },
          { value: 'some', label: t('rules.someFields'), text: t(target.action === 'read' ? 'rules.someFieldsText' : 'rules.someFieldsWrite') },
        ]}
      />
      {editing.isFieldsLimited && <FieldChecks table={table} fields={editing.fields} setFields={editing.setFields} />}
    </div>
  );
};

/** All records, or those that match conditions. */
const RecordScope = ({
  siteId,
  tables,
  table,
  editing,
}: {
  readonly siteId: string;
  readonly tables: readonly ContentTable[];
  readonly table: ContentTable;
  readonly editing: RuleEditing;
}): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  return (
    <div>
      <Options<'all' | 'some'>
        label={t('rules.filterLabel')}
        value={editing.isFiltered ? 'some' : 'all'}
        onChange={(next) => editing.setFiltered(next === 'some')}
        options={[
          { value: 'all', label: t('rules.allRecords') },
          { value: 'some', label: t('rules.someRecords'), text: t('rules.someRecordsText') },
        ]}
      />
      {editing.isFiltered && <FilterBuilder draft={editing.draft} table={table} context={{ siteId, tables, people: {} }} onChange={editing.setDraft} />}
    </div>
  );
};

/** One cell of the matrix: whether the role may perform the action, on which fields and records. Saved only with the matrix. */
export const RuleDialog = ({
  siteId,
  tables,
  table,
  role,
  action,
  rule,
  onSet,
  onClose,
}: RuleTarget & {
  readonly siteId: string;
  readonly tables: readonly ContentTable[];
  readonly table: ContentTable;
  readonly rule: Rule;
  readonly onSet: (rule: Rule) => void;
  readonly onClose: () => void;
}): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const titleId = useId();
  const editing = useRuleEditing(table, { role, action }, rule);
  const { choice, rule: edited } = editing;
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId} fullWidth maxWidth="sm">
      <DialogTitle id={titleId}>{t('rules.editTitle', { role: t(`role.${role}`), action: t(`action.${action}`) })}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2.5 }}>
        <Options<Choice>
          label={t('rules.choice')}
          value={choice}
          onChange={editing.setChoice}
          options={[
            {
              value: 'default',
              label: t('rules.byDefault', { state: t(allowedByDefault(role, action) ? 'rules.allowed' : 'rules.denied') }),
              text: t('rules.byDefaultText'),
            },
            { value: 'allow', label: t('rules.allowed'), text: t('rules.allowText') },
            { value: 'deny', label: t('rules.denied'), text: t(action === 'read' ? 'rules.denyText.read' : 'rules.denyText.other') },
          ]}
        />
        {choice === 'allow' && hasFields(action) && <FieldScope table={table} target={{ role, action }} editing={editing} />}
        {choice === 'allow' && <RecordScope siteId={siteId} tables={tables} table={table} editing={editing} />}
        {edited === undefined && (
          <Typography variant="caption" role="status" sx={{ color: 'text.secondary' }}>
            {t('rules.filterIncomplete')}
          </Typography>
        )}
      </DialogContent>
      <DialogActions sx={{ padding: '8px 24px 16px' }}>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button
          variant="contained"
          disabled={edited === undefined}
          onClick={() => {
            if (edited !== undefined) onSet(edited);
          }}
        >
          {t('rules.ok')}
        </Button>
      </DialogActions>
    </Dialog>
  );
};
