import { Checkbox, FormControlLabel, NativeSelect, OutlinedInput, Radio, RadioGroup } from '@mui/material';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { useForm } from 'react-hook-form';
import { CheckboxGroup } from '@/ui/form/CheckboxGroup';
import { CheckField } from '@/ui/form/CheckField';
import { ComboField } from '@/ui/form/ComboField';
import { DateField } from '@/ui/form/DateField';
import { encodeFieldError } from '@/ui/form/fieldError';
import { FileField } from '@/ui/form/FileField';
import { MoneyField } from '@/ui/form/MoneyField';
import { PasswordField } from '@/ui/form/PasswordField';
import { RadioCards } from '@/ui/form/RadioCards';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import { TimeZoneField } from '@/ui/form/TimeZoneField';
import { SearchBox } from '@/ui/SearchBox';
import { Section } from '@/ui/Section';
import { Row } from './Row';
import { useTexts } from './texts';

type Sample = {
  text: string;
  wrong: string;
  long: string;
  password: string;
  kind: string;
  zone: string;
  day: string;
  money: string;
  on: boolean;
  many: string[];
};

function Bound(): ReactElement {
  const texts = useTexts();
  const form = useForm<Sample>({
    defaultValues: {
      text: '',
      wrong: '',
      long: texts.long,
      password: '',
      kind: '0',
      zone: 'Asia/Shanghai',
      day: '2026-11-20',
      money: '128.00',
      on: true,
      many: ['0'],
    },
  });
  const { control, setError } = form;
  useEffect(() => setError('wrong', { message: encodeFieldError({ code: 'required' }) }), [setError]);
  const choices = texts.kinds.map((label, at) => ({ value: String(at), label, detail: texts.help }));
  return (
    <div className="parts-form">
      <TextField control={control} name="text" label={texts.name} help={texts.help} placeholder={texts.site} />
      <TextField control={control} name="wrong" label={texts.name} />
      <TextField control={control} name="text" label={texts.name} disabled />
      <TextField control={control} name="long" label={texts.long} multiline minRows={2} optional />
      <PasswordField control={control} name="password" label={texts.name} autoComplete="new-password" />
      <SelectField control={control} name="kind" label={texts.kind} choices={choices} />
      <ComboField control={control} name="kind" label={texts.kind} options={choices} />
      <TimeZoneField control={control} name="zone" label={texts.kind} include="Asia/Shanghai" />
      <DateField control={control} name="day" label={texts.range} />
      <MoneyField control={control} name="money" label={texts.name} currency="CNY" digits={2} />
      <CheckField control={control} name="on" label={texts.published} help={texts.help} />
      <CheckboxGroup control={control} name="many" label={texts.kind} choices={choices} />
      <RadioCards control={control} name="kind" label={texts.kind} choices={choices} />
      <FileField label={texts.name} types={{ csv: ['.csv'] }} mostBytes={1_000_000} value={null} onPick={() => undefined} />
    </div>
  );
}

export function Fields(): ReactElement {
  const texts = useTexts();
  const [query, setQuery] = useState('');
  return (
    <Section title={texts.fields}>
      {(['medium', 'small'] as const).map((size) => (
        <Row key={size} name={`Input ${size}`}>
          <OutlinedInput size={size} placeholder={texts.site} slotProps={{ input: { 'aria-label': texts.name } }} />
          <OutlinedInput size={size} disabled defaultValue={texts.site} slotProps={{ input: { 'aria-label': texts.name } }} />
          <OutlinedInput size={size} error defaultValue={texts.site} slotProps={{ input: { 'aria-label': texts.name } }} />
          <NativeSelect input={<OutlinedInput size={size} />} inputProps={{ 'aria-label': texts.kind }}>
            {texts.kinds.map((kind) => (
              <option key={kind}>{kind}</option>
            ))}
          </NativeSelect>
        </Row>
      ))}
      <Row name="SearchBox">
        <SearchBox label={texts.search} value={query} onChange={setQuery} />
      </Row>
      <Row name="Choices">
        <FormControlLabel control={<Checkbox defaultChecked />} label={texts.published} />
        <FormControlLabel control={<Checkbox disabled />} label={texts.draft} />
        <RadioGroup row defaultValue="a">
          <FormControlLabel value="a" control={<Radio />} label={texts.tabs[0]} />
          <FormControlLabel value="b" control={<Radio />} label={texts.tabs[1]} />
        </RadioGroup>
      </Row>
      <Bound />
    </Section>
  );
}
