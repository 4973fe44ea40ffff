import { Checkbox, FormControlLabel, FormHelperText, NativeSelect, OutlinedInput } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ThemeSetting } from '@contract/publishing/theme';
import { settingLength } from '@contract/publishing/themeTexts';
import { Field } from '@/ui/form/Field';
import type { ControlProps } from '@/ui/form/Field';
import { ResourceField } from '../../general/ResourceField';
import { useTextIn } from '../../useTextIn';
import { ColorInput } from './ColorInput';
import { problemOf } from './settingModel';
import type { SettingValue } from './settingModel';

type Props = {
  readonly siteId: string;
  readonly setting: ThemeSetting;
  readonly value: SettingValue;
  /** The language of a text of which there is one for each; null: it is the same in all. */
  readonly language: { readonly tag: string; readonly name: string } | null;
  /** What visitors read while the field is empty. */
  readonly placeholder: string;
  readonly readOnly: boolean;
  readonly onChange: (value: SettingValue) => void;
};
type InputProps = Props & { readonly control: ControlProps };

/** What is typed, which may be no number yet. */
function NumberInput({
  setting,
  value,
  readOnly,
  control,
  onChange,
}: InputProps & { readonly setting: { readonly min: number; readonly max: number } }): ReactElement {
  const [typed, setTyped] = useState(String(value));
  const [known, setKnown] = useState(value);
  // NaN, for what is no number, is equal to itself here.
  if (!Object.is(known, value)) {
    setKnown(value);
    if (Number(typed) !== value) setTyped(String(value));
  }
  const { id, ...aria } = control;
  return (
    <OutlinedInput
      id={id}
      type="number"
      value={typed}
      readOnly={readOnly}
      error={control['aria-invalid']}
      sx={{ width: 140 }}
      slotProps={{ input: { ...aria, min: setting.min, max: setting.max, step: 'any' } }}
      onChange={({ target }) => {
        setTyped(target.value);
        onChange(target.value.trim() === '' ? Number.NaN : Number(target.value));
      }}
    />
  );
}

function SettingInput(props: InputProps): ReactElement {
  const { setting, value, language, placeholder, readOnly, control, onChange } = props;
  const textIn = useTextIn();
  const { id, ...aria } = control;
  if (setting.type === 'number') return <NumberInput {...props} setting={setting} />;
  if (setting.type === 'color')
    return <ColorInput label={textIn(setting.label)} control={control} value={String(value)} readOnly={readOnly} onChange={onChange} />;
  if (setting.type === 'choice')
    return (
      <NativeSelect
        id={id}
        fullWidth
        value={value}
        disabled={readOnly}
        onChange={({ target }) => onChange(target.value)}
        input={<OutlinedInput />}
        inputProps={aria}
      >
        {setting.choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {textIn(choice.label)}
          </option>
        ))}
      </NativeSelect>
    );
  return (
    <OutlinedInput
      id={id}
      fullWidth
      value={typeof value === 'string' ? value : ''}
      readOnly={readOnly}
      error={control['aria-invalid']}
      {...(setting.type === 'long_text' && { multiline: true, minRows: 3, maxRows: 10 })}
      {...(language !== null && { lang: language.tag })}
      placeholder={setting.type === 'link' ? 'https://…' : placeholder}
      slotProps={{ input: { ...aria, ...(setting.type === 'link' && { inputMode: 'url' as const, spellCheck: false, autoCapitalize: 'off' }) } }}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

function SwitchField({ setting, value, readOnly, onChange }: Props): ReactElement {
  const textIn = useTextIn();
  const help = textIn(setting.help);
  const helpId = useId();
  return (
    <div>
      <FormControlLabel
        disabled={readOnly}
        control={
          <Checkbox
            checked={value === true}
            onChange={(_event, isOn) => onChange(isOn)}
            slotProps={{ input: { 'aria-describedby': help === '' ? undefined : helpId } }}
          />
        }
        label={textIn(setting.label)}
      />
      {help !== '' && (
        <FormHelperText id={helpId} sx={{ mt: 0 }}>
          {help}
        </FormHelperText>
      )}
    </div>
  );
}

/** A setting that the theme declares, as the field of its type; and the way back to its default. */
export function SettingField({ onReset, ...props }: Props & { readonly onReset: (() => void) | null }): ReactElement {
  const { setting, value, language } = props;
  const { t } = useTranslation(['publishing', 'form']);
  const textIn = useTextIn();
  const label = language === null ? textIn(setting.label) : `${textIn(setting.label)} · ${language.name}`;
  const help = textIn(setting.help);
  const problem = problemOf(setting, value);
  if (setting.type === 'image')
    return (
      <div className="theme-setting">
        <ResourceField
          siteId={props.siteId}
          label={label}
          help={help}
          kinds={['image', 'svg']}
          value={typeof value === 'string' ? value : null}
          readOnly={props.readOnly}
          onChange={props.onChange}
        />
      </div>
    );
  const range = setting.type === 'number' ? { min: setting.min, max: setting.max } : { min: '', max: '' };
  return (
    <div className="theme-setting">
      {setting.type === 'boolean' ? (
        <SwitchField {...props} />
      ) : (
        <Field
          label={label}
          help={help === '' && setting.type === 'number' ? t('theme.settings.range', range) : help}
          error={
            problem === null
              ? undefined
              : problem === 'tooLong'
                ? t('form:errors.too_long', { max: settingLength(setting) ?? '' })
                : t(`theme.settings.problem.${problem}`, range)
          }
        >
          {(control) => <SettingInput {...props} control={control} />}
        </Field>
      )}
      {onReset !== null && (
        <button type="button" className="bare-button text-link theme-setting-reset" aria-label={t('theme.settings.resetOne', { label })} onClick={onReset}>
          {t('theme.settings.reset')}
        </button>
      )}
    </div>
  );
}
