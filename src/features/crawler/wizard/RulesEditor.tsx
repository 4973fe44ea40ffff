import { Checkbox, FormControlLabel, NativeSelect, OutlinedInput } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { ruleGroups, ruleIds, ruleOf } from '@contract/crawler/rules';
import type { RuleId } from '@contract/crawler/rules';
import { severities } from '@contract/crawler/terms';
import type { Severity } from '@contract/crawler/terms';
import { SearchBox } from '@/ui/SearchBox';
import type { RuleSettings } from './draft';
import type { WizardForm } from './wizardForm';

type Setting = RuleSettings[string];
type RowProps = { readonly id: RuleId; readonly setting: Setting | undefined; readonly onChange: (setting: Setting) => void };

const isUsual = (id: RuleId, { enabled, severity, parameters = {} }: Setting): boolean =>
  enabled &&
  (severity ?? ruleOf(id).severity) === ruleOf(id).severity &&
  Object.entries(parameters).every(([name, value]) => ruleOf(id).parameters?.[name]?.default === value);

function RuleRow({ id, setting = { enabled: true }, onChange }: RowProps): ReactElement {
  const { t } = useTranslation(['crawler', 'crawlRules']);
  const { severity: usual, parameters = {} } = ruleOf(id);
  const name = t(`crawlRules:rule.${id}.name`);
  const setParameter = (parameter: string, text: string): void => {
    const { [parameter]: _, ...others } = setting.parameters ?? {};
    const value = Number(text);
    onChange({ ...setting, parameters: text.trim() === '' || !Number.isFinite(value) ? others : { ...others, [parameter]: value } });
  };
  return (
    <li className="crawl-rule">
      <FormControlLabel
        control={<Checkbox size="small" checked={setting.enabled} onChange={(_event, enabled) => onChange({ ...setting, enabled })} />}
        label={name}
        title={t(`crawlRules:rule.${id}.why`)}
      />
      <NativeSelect
        value={setting.severity ?? usual}
        disabled={!setting.enabled}
        onChange={(event) => onChange({ ...setting, severity: event.target.value as Severity })}
        input={<OutlinedInput size="small" />}
        inputProps={{ 'aria-label': t('rules.severityOf', { name }) }}
      >
        {severities.map((severity) => (
          <option key={severity} value={severity}>
            {t(`severity.${severity}`)}
          </option>
        ))}
      </NativeSelect>
      {Object.entries(parameters).map(([parameter, { default: otherwise, min, max }]) => (
        <OutlinedInput
          key={parameter}
          size="small"
          type="number"
          disabled={!setting.enabled}
          value={setting.parameters?.[parameter] ?? ''}
          placeholder={String(otherwise)}
          onChange={(event) => setParameter(parameter, event.target.value)}
          slotProps={{
            input: {
              'aria-label': t('rules.parameterOf', { name, parameter: t(`crawlRules:parameter.${parameter as 'bytes'}`) }),
              min,
              max,
              title: t(`crawlRules:parameter.${parameter as 'bytes'}`),
            },
          }}
          sx={{ width: 110 }}
        />
      ))}
    </li>
  );
}

/** Every rule of the audit: on or off, its severity, and its thresholds. Only what differs from the usual is stored. */
export function RulesEditor({ form }: { readonly form: WizardForm }): ReactElement {
  const { t } = useTranslation(['crawler', 'crawlRules']);
  const { field } = useController({ control: form.control, name: 'rules' });
  const [search, setSearch] = useState('');
  const settings = field.value;
  const change = (id: RuleId, setting: Setting): void => {
    const { [id]: _, ...others } = settings;
    field.onChange(isUsual(id, setting) ? others : { ...others, [id]: setting });
  };
  const requested = search.trim().toLowerCase();
  const fits = (id: RuleId): boolean => requested === '' || id.includes(requested) || t(`crawlRules:rule.${id}.name`).toLowerCase().includes(requested);
  const off = Object.values(settings).filter(({ enabled }) => !enabled).length;
  return (
    <>
      <SearchBox label={t('rules.search')} value={search} onChange={setSearch} wide />
      <p style={{ margin: 0 }} role="status">
        {off === 0 ? t('summary.allRules') : t('summary.rulesOff', { count: off })}
      </p>
      {ruleGroups.map((group) => {
        const ids = ruleIds.filter((id) => ruleOf(id).group === group && fits(id));
        if (ids.length === 0) return null;
        return (
          <details key={group} {...(requested !== '' && { open: true })}>
            <summary>
              {t(`crawlRules:group.${group}`)} <span style={{ color: 'var(--ink-2)' }}>{ids.length}</span>
            </summary>
            <ul className="crawl-rules">
              {ids.map((id) => (
                <RuleRow key={id} id={id} setting={settings[id]} onChange={(setting) => change(id, setting)} />
              ))}
            </ul>
          </details>
        );
      })}
    </>
  );
}
