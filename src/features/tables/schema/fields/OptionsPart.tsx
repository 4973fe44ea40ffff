import { useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { compilePattern } from '@contract/tables/pattern';
import { optionsOf } from '@contract/tables/schemas';
import { fieldTypeOf, hasChoices, isSlugSource } from '@contract/tables/fieldTypes';
import type { Choice, FieldOptions } from '@contract/tables/schemas';
import { tableLimits } from '@contract/tables/terms';
import { ChooseLine, DateLine, NumberLine, TextLine } from '@/features/tables/parts/controls';
import { useLazyChoiceUsesQuery } from '@/features/tables/parts/designApi';
import { ChoicesEditor } from './ChoicesEditor';
import type { Editing } from './editing';
import { ItemsEditor } from './ItemsEditor';
import { RemoveChoice } from './RemoveChoice';
import { optionPanels } from '@/features/tables/fieldTypes/optionPanels';

/** The most common currencies; the others of ISO 4217 follow them. */
const common = ['CNY', 'USD', 'EUR', 'HKD', 'JPY', 'GBP', 'TWD', 'SGD'];

/** The pattern of a text field, with an input to try it. */
const PatternOptions = ({ draft: { options }, mayDesign, setOption, errorAt }: Editing): ReactElement => {
  const { t } = useTranslation('tableDesign');
  const [tried, setTried] = useState('');
  const pattern = options.pattern ?? '';
  const compiled = useMemo(() => (pattern === '' ? null : compilePattern(pattern)), [pattern]);
  const broken = pattern !== '' && compiled === null;
  return (
    <>
      <TextLine
        label={t('option.pattern')}
        help={t('option.patternHelp')}
        optional
        mono
        value={pattern}
        max={500}
        error={broken ? t('option.patternFault') : errorAt('options.pattern')}
        disabled={!mayDesign}
        onChange={(typed) => setOption(typed === '' ? { pattern: undefined, patternMessage: undefined } : { pattern: typed })}
      />
      {pattern !== '' && (
        <>
          <TextLine
            label={t('option.try')}
            value={tried}
            help={tried === '' || !compiled ? undefined : <span role="status">{t(compiled(tried) ? 'option.tryFits' : 'option.tryFails')}</span>}
            onChange={setTried}
          />
          <TextLine
            label={t('option.patternMessage')}
            optional
            value={options.patternMessage ?? ''}
            error={errorAt('options.patternMessage')}
            disabled={!mayDesign}
            onChange={(typed) => setOption({ patternMessage: typed === '' ? undefined : typed })}
          />
        </>
      )}
    </>
  );
};

/** Minimum and maximum, and the number format. */
const NumberOptions = ({ draft: { type, options }, mayDesign, setOption, errorAt }: Editing): ReactElement => {
  const { t } = useTranslation('tableDesign');
  const names: readonly (keyof FieldOptions)[] = optionsOf[type];
  const has = (name: keyof FieldOptions) => names.includes(name);
  const { column, family } = fieldTypeOf(type);
  const dates = family === 'date';
  const whole = column === 'bigint';
  const bound = (name: 'min' | 'max') =>
    has(name) &&
    (dates ? (
      <DateLine
        label={t(`option.${name}Date`)}
        optional
        value={typeof options[name] === 'string' ? options[name] : ''}
        error={errorAt(`options.${name}`)}
        disabled={!mayDesign}
        onChange={(day) => setOption({ [name]: day === '' ? undefined : day })}
      />
    ) : (
      <NumberLine
        label={t(type === 'rating' ? 'option.stars' : `option.${name}`)}
        help={type === 'duration' ? t('option.seconds') : undefined}
        optional
        value={typeof options[name] === 'number' ? options[name] : undefined}
        whole={whole}
        error={errorAt(`options.${name}`)}
        disabled={!mayDesign}
        {...(type === 'rating' ? { least: 1, most: 10 } : {})}
        onChange={(number) => setOption({ [name]: number })}
      />
    ));
  return (
    <div className="design-two">
      {bound('min')}
      {bound('max')}
      {has('decimals') && (
        <NumberLine
          label={t('option.decimals')}
          optional
          value={options.decimals}
          whole
          least={0}
          most={10}
          error={errorAt('options.decimals')}
          disabled={!mayDesign}
          onChange={(decimals) => setOption({ decimals })}
        />
      )}
    </div>
  );
};

/** Choices; removing one that records use also changes those records. */
const ChoicesPart = ({ site, table, field, draft: { options }, mayDesign, converting = false, setOption, choiceGone, errorAt }: Editing): ReactElement => {
  const choices = options.choices ?? [];
  const saved = field && !converting && choiceGone && hasChoices(field.type) ? (field.options.choices ?? []) : [];
  const [uses] = useLazyChoiceUsesQuery();
  const [pendingRemoval, setPendingRemoval] = useState<{ readonly choice: Choice; readonly records: number } | null>(null);
  const remove = async (choice: Choice) => {
    const known = saved.find(({ id }) => id === choice.id);
    const { data } = known && field ? await uses({ siteId: site.id, table: table.id, field: field.id }) : {};
    const records = data?.find(({ id }) => id === choice.id)?.records ?? 0;
    if (known && records > 0) setPendingRemoval({ choice: known, records });
    else setOption({ choices: choices.filter(({ id }) => id !== choice.id) });
  };
  return (
    <>
      <ChoicesEditor
        choices={choices}
        error={errorAt('options.choices')}
        disabled={!mayDesign}
        onRemove={(choice) => void remove(choice)}
        onChange={(next) => setOption({ choices: next })}
      />
      {pendingRemoval && field && (
        <RemoveChoice
          siteId={site.id}
          table={table}
          field={field}
          choice={pendingRemoval.choice}
          others={saved.filter(({ id }) => id !== pendingRemoval.choice.id)}
          records={pendingRemoval.records}
          onGone={() => choiceGone?.(pendingRemoval.choice.id)}
          onClose={() => setPendingRemoval(null)}
        />
      )}
    </>
  );
};

/** The source field of a slug. */
const SourceOption = ({ table, draft: { options }, mayDesign, setOption, errorAt }: Editing): ReactElement => {
  const { t } = useTranslation('tableDesign');
  return (
    <ChooseLine
      label={t('option.from')}
      error={errorAt('options.from')}
      value={options.from ?? ''}
      options={[{ id: '', name: t('option.fromNone') }, ...table.fields.filter((one) => isSlugSource(one.type)).map(({ id, title }) => ({ id, name: title }))]}
      disabled={!mayDesign}
      onChange={(from) => setOption({ from: from === '' ? undefined : from })}
    />
  );
};

const CurrencyOption = ({ draft: { options }, mayDesign, setOption, errorAt }: Editing): ReactElement => {
  const { t } = useTranslation('tableDesign');
  const currencies = useMemo(() => [...common, ...Intl.supportedValuesOf('currency').filter((code) => !common.includes(code))], []);
  return (
    <ChooseLine
      label={t('option.currency')}
      error={errorAt('options.currency')}
      value={options.currency ?? ''}
      options={[{ id: '', name: t('option.choose') }, ...currencies.map((id) => ({ id, name: id }))]}
      disabled={!mayDesign}
      onChange={(currency) => setOption({ currency: currency === '' ? undefined : currency })}
    />
  );
};

/** Options without which a new field would not work, besides those of `optionPanels`. */
const essentialOptions: readonly (keyof FieldOptions)[] = ['choices', 'items', 'from', 'currency', 'label', 'url'];

/** Options of the field's type. `essential`: only those that a new field needs. */
export const OptionsPart = ({ essential = false, ...editing }: Editing & { readonly essential?: boolean }): ReactElement | null => {
  const { draft, mayDesign, setOption, errorAt } = editing;
  const { t } = useTranslation('tableDesign');
  const { type, options } = draft;
  const all: readonly (keyof FieldOptions)[] = optionsOf[type];
  const names = all.filter((name) => !essential || essentialOptions.includes(name));
  const has = (name: keyof FieldOptions) => names.includes(name);
  const Own = optionPanels[type];
  if (names.length === 0 && !Own) return null;
  const text = (name: 'placeholder' | 'unit' | 'prefix' | 'label' | 'url', max: number, help?: string) =>
    has(name) && (
      <TextLine
        label={t(`option.${name}`)}
        help={help}
        optional={name !== 'label' && name !== 'url'}
        value={options[name] ?? ''}
        max={max}
        error={errorAt(`options.${name}`)}
        disabled={!mayDesign}
        onChange={(typed) => setOption({ [name]: typed === '' ? undefined : typed })}
      />
    );
  const number = (name: 'minLength' | 'maxLength' | 'most' | 'pad', most: number, help?: string) =>
    has(name) && (
      <NumberLine
        label={t(`option.${name}`)}
        help={help}
        optional
        value={options[name]}
        whole
        least={name === 'pad' || name === 'minLength' ? 0 : 1}
        most={most}
        error={errorAt(`options.${name}`)}
        disabled={!mayDesign}
        onChange={(typed) => setOption({ [name]: typed })}
      />
    );
  const sample = `${options.prefix ?? ''}${'1'.padStart(options.pad ?? 0, '0')}`;
  return (
    <section aria-label={t('edit.options')}>
      <h3>{t('edit.options')}</h3>
      {Own && <Own {...editing} />}
      {has('choices') && <ChoicesPart {...editing} />}
      {has('items') && <ItemsEditor items={options.items ?? []} errorAt={errorAt} disabled={!mayDesign} onChange={(items) => setOption({ items })} />}
      {has('from') && <SourceOption {...editing} />}
      {has('currency') && <CurrencyOption {...editing} />}
      {(has('min') || has('max') || has('decimals')) && <NumberOptions {...editing} />}
      {(has('minLength') || has('maxLength')) && (
        <div className="design-two">
          {number('minLength', tableLimits.textBytes)}
          {number('maxLength', tableLimits.textBytes)}
        </div>
      )}
      {has('pattern') && <PatternOptions {...editing} />}
      {number('most', tableLimits.list)}
      {text('unit', 20)}
      {text('prefix', 20)}
      {number('pad', 12, t('option.padSample', { sample }))}
      {text('label', 60)}
      {text('url', 2000, t('option.urlHelp'))}
      {text('placeholder', 200)}
    </section>
  );
};
