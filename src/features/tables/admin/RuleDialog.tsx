import { Button, Checkbox, Dialog, DialogActions, DialogContent, DialogTitle, FormControlLabel, Radio, RadioGroup, Typography } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { allowedByDefault } from '@contract/tables/terms';
import type { RecordAction, RuleRole } from '@contract/tables/terms';
import type { ContentTable } from '@contract/tables/schemas';
import { FieldGroup } from '@/ui/form/Field';
import { FilterBuilder } from '../records/FilterBuilder';
import { emptyGroup, fromFilter, newRule, toFilter } from '../records/filterModel';
import { FieldIcon } from '../records/icons';
import { hasFields } from './rulesDraft';
import type { Rule } from './rulesDraft';

type Choice = 'default' | 'allow' | 'deny';

/** One of a few, each with a sentence. */
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
          control={<Radio size="small" />}
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

/** One place of the matrix: whether, which fields, which records. Nothing is saved before the matrix is. */
export const RuleDialog = ({
  siteId,
  tables,
  table,
  role,
  action,
  rule,
  onSet,
  onClose,
}: {
  readonly siteId: string;
  readonly tables: readonly ContentTable[];
  readonly table: ContentTable;
  readonly role: RuleRole;
  readonly action: RecordAction;
  readonly rule: Rule;
  readonly onSet: (rule: Rule) => void;
  readonly onClose: () => void;
}): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const titleId = useId();
  const [choice, setChoice] = useState<Choice>(rule === null ? 'default' : rule.allowed ? 'allow' : 'deny');
  const [some, setSome] = useState(rule?.fields != null);
  const [fields, setFields] = useState<ReadonlySet<string>>(
    () => new Set(rule?.fields ?? table.fields.filter((one) => role === 'editor' || !one.sensitive).map(({ id }) => id)),
  );
  const [limited, setLimited] = useState(rule?.filter != null);
  const [draft, setDraft] = useState(() => fromFilter(rule?.filter ?? null));
  const filter = limited ? toFilter(draft) : null;
  const incomplete = choice === 'allow' && limited && filter === null;
  const set = () => {
    if (incomplete) return;
    if (choice === 'default') onSet(null);
    else if (choice === 'deny') onSet({ allowed: false, fields: null, filter: null });
    else onSet({ allowed: true, fields: some && hasFields(action) ? table.fields.flatMap(({ id }) => (fields.has(id) ? [id] : [])) : null, filter });
  };
  const scene = { siteId, tables, people: {} };
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId} fullWidth maxWidth="sm">
      <DialogTitle id={titleId}>{t('rules.editTitle', { role: t(`role.${role}`), action: t(`action.${action}`) })}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2.5 }}>
        <Options<Choice>
          label={t('rules.choice')}
          value={choice}
          onChange={setChoice}
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
        {choice === 'allow' && hasFields(action) && (
          <div>
            <Options<'all' | 'some'>
              label={t('rules.fieldsLabel')}
              value={some ? 'some' : 'all'}
              onChange={(next) => setSome(next === 'some')}
              options={[
                { value: 'all', label: t('rules.allFields'), text: t(role === 'editor' ? 'rules.allFieldsText.editor' : 'rules.allFieldsText.other') },
                { value: 'some', label: t('rules.someFields'), text: t(action === 'read' ? 'rules.someFieldsText' : 'rules.someFieldsWrite') },
              ]}
            />
            {some && (
              <div className="admin-fields" role="group" aria-label={t('rules.someFields')}>
                <div className="design-line">
                  <Button size="small" onClick={() => setFields(new Set(table.fields.map(({ id }) => id)))}>
                    {t('rules.chooseAll')}
                  </Button>
                  <Button size="small" onClick={() => setFields(new Set())}>
                    {t('rules.chooseNone')}
                  </Button>
                </div>
                {table.fields.map((field) => (
                  <FormControlLabel
                    key={field.id}
                    control={
                      <Checkbox
                        size="small"
                        checked={fields.has(field.id)}
                        onChange={(_event, on) => {
                          const next = new Set(fields);
                          if (on) next.add(field.id);
                          else next.delete(field.id);
                          setFields(next);
                        }}
                      />
                    }
                    label={
                      <span className="admin-field">
                        <FieldIcon asked={{ field }} />
                        {field.title}
                        {field.sensitive && <small>{t('rules.sensitive')}</small>}
                      </span>
                    }
                  />
                ))}
              </div>
            )}
          </div>
        )}
        {choice === 'allow' && (
          <div>
            <Options<'all' | 'some'>
              label={t('rules.filterLabel')}
              value={limited ? 'some' : 'all'}
              onChange={(next) => {
                setLimited(next === 'some');
                const first = newRule(table);
                if (next === 'some' && draft.items.length === 0 && first) setDraft(emptyGroup('and', [first]));
              }}
              options={[
                { value: 'all', label: t('rules.allRecords') },
                { value: 'some', label: t('rules.someRecords'), text: t('rules.someRecordsText') },
              ]}
            />
            {limited && <FilterBuilder draft={draft} table={table} scene={scene} onChange={setDraft} />}
          </div>
        )}
        {incomplete && (
          <Typography variant="caption" role="status" sx={{ color: 'text.secondary' }}>
            {t('rules.filterIncomplete')}
          </Typography>
        )}
      </DialogContent>
      <DialogActions sx={{ padding: '8px 24px 16px' }}>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button variant="contained" disabled={incomplete} onClick={set}>
          {t('rules.ok')}
        </Button>
      </DialogActions>
    </Dialog>
  );
};
