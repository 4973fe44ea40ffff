import { Box, Button, Checkbox, FormControlLabel, IconButton, NativeSelect, OutlinedInput, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useController } from 'react-hook-form';
import type { Control } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { botReasonIds, botReasonPoints, numberFields, ruleFields, verdicts } from '@contract/measuring/schemas';
import type { BotRule, BotRules, RuleCondition, RulesPreview } from '@contract/measuring/schemas';
import { isFailure } from '@/lib/failure';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { FormSection } from '@/ui/form/FormSection';
import { Icon } from '@/ui/Icon';
import { usePreviewBotRulesMutation } from './measuringApi';
import type { SettingsInput } from './settingsInput';

const textOps = ['is', 'not', 'contains', 'excludes'] as const;
const numberOps = ['atLeast', 'atMost'] as const;
const mostRules = 50;
const mostConditions = 5;
const newRule: BotRule = { name: '', on: true, when: [{ field: 'entry', op: 'contains', values: [''] }], verdict: 'bot' };

const replaced = <T,>(list: readonly T[], at: number, one: T): T[] => list.map((old, index) => (index === at ? one : old));
const without = <T,>(list: readonly T[], at: number): T[] => list.filter((_one, index) => index !== at);

/** The points of each bot signal. */
function PointsSection({ points, onChange }: { readonly points: BotRules['points']; readonly onChange: (points: BotRules['points']) => void }): ReactElement {
  const { t } = useTranslation('measuring');
  return (
    <FormSection title={t('bots.points')} lead={t('bots.pointsLead')}>
      <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, columnGap: 3, rowGap: 1.5 }}>
        {botReasonIds.map((id) => (
          <Box component="label" key={id} sx={{ display: 'flex', alignItems: 'center', gap: 1.5, justifyContent: 'space-between' }}>
            <Typography variant="body2">{t(`reason.${id}`)}</Typography>
            <OutlinedInput
              type="number"
              sx={{ width: 88, flex: 'none' }}
              value={points[id]}
              onChange={(event) => onChange({ ...points, [id]: Math.min(100, Math.max(0, Math.round(Number(event.target.value)))) })}
              slotProps={{ input: { min: 0, max: 100 } }}
            />
          </Box>
        ))}
      </Box>
      <div>
        <Button sx={{ ml: -1.5 }} onClick={() => onChange({ ...botReasonPoints })}>
          {t('bots.usual')}
        </Button>
      </div>
    </FormSection>
  );
}

type RuleProps = {
  readonly rule: BotRule;
  /** Its position in the list, from 1. */
  readonly number: number;
  readonly count: number;
  readonly onChange: (more: Partial<BotRule>) => void;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
};

/** One rule of the site: name, conditions and verdict. */
function RuleCard({ rule, number, count, onChange, onMove, onRemove }: RuleProps): ReactElement {
  const { t } = useTranslation('measuring');
  return (
    <Box role="group" aria-label={t('bots.rule', { number })} sx={{ border: 1, borderColor: 'divider', borderRadius: 1, p: 1.5, display: 'grid', gap: 1.5 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
        <OutlinedInput
          sx={{ flex: '1 1 160px' }}
          value={rule.name}
          placeholder={t('bots.rule', { number })}
          onChange={(event) => onChange({ name: event.target.value })}
          slotProps={{ input: { 'aria-label': t('bots.name'), maxLength: 60 } }}
        />
        <FormControlLabel control={<Checkbox checked={rule.on} onChange={(_event, on) => onChange({ on })} />} label={t('bots.on')} sx={{ mr: 0 }} />
        <IconButton aria-label={t('bots.up')} disabled={number === 1} onClick={() => onMove(-1)}>
          ↑
        </IconButton>
        <IconButton aria-label={t('bots.down')} disabled={number === count} onClick={() => onMove(1)}>
          ↓
        </IconButton>
        <IconButton aria-label={t('bots.remove')} onClick={onRemove}>
          <Icon name="close" />
        </IconButton>
      </Box>
      {rule.when.map((condition, index) => (
        <Condition
          key={index}
          condition={condition}
          first={index === 0}
          onChange={(next) => onChange({ when: replaced(rule.when, index, next) })}
          onRemove={rule.when.length > 1 ? () => onChange({ when: without(rule.when, index) }) : null}
        />
      ))}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
        {rule.when.length < mostConditions && (
          <Button onClick={() => onChange({ when: [...rule.when, { field: 'country', op: 'is', values: [''] }] })}>{t('bots.and')}</Button>
        )}
        <Typography variant="body2" sx={{ ml: 'auto' }}>
          {t('bots.then')}
        </Typography>
        <NativeSelect
          value={rule.verdict}
          onChange={(event) => onChange({ verdict: event.target.value as BotRule['verdict'] })}
          input={<OutlinedInput />}
          inputProps={{ 'aria-label': t('bots.then') }}
        >
          {verdicts.map((one) => (
            <option key={one} value={one}>
              {t(`verdict.${one}`)}
            </option>
          ))}
        </NativeSelect>
      </Box>
    </Box>
  );
}

/** Points per signal and own rules, in order, with a preview of their effect before saving. */
export function RulesEditor({
  siteId,
  control,
  saved,
}: {
  readonly siteId: string;
  readonly control: Control<SettingsInput, unknown, SettingsInput>;
  readonly saved: BotRules;
}): ReactElement {
  const { t } = useTranslation('measuring');
  const { field, fieldState } = useController({ control, name: 'bots' });
  const value: BotRules = field.value;
  const [preview, { data, error, isLoading }] = usePreviewBotRulesMutation();
  const [previewed, setPreviewed] = useState<BotRules | null>(null);
  const set = (next: Partial<BotRules>): void => field.onChange({ ...value, ...next });
  const setRule = (at: number, more: Partial<BotRule>): void => {
    const rule = value.rules[at];
    if (rule) set({ rules: replaced(value.rules, at, { ...rule, ...more }) });
  };
  const move = (at: number, by: number): void => {
    const rules = [...value.rules];
    const [rule] = rules.splice(at, 1);
    if (rule) rules.splice(at + by, 0, rule);
    set({ rules });
  };
  const showPreview = async (): Promise<void> => {
    setPreviewed(value);
    await preview({ siteId, body: value });
  };
  return (
    <>
      <PointsSection points={value.points} onChange={(next) => set({ points: next })} />
      <FormSection title={t('bots.rules')} lead={t('bots.rulesLead')}>
        {fieldState.error && (
          <Typography role="alert" variant="body2" sx={{ color: 'error.main' }}>
            {t('bots.faulty')}
          </Typography>
        )}
        {value.rules.length === 0 && (
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {t('bots.none')}
          </Typography>
        )}
        {value.rules.map((rule, at) => (
          <RuleCard
            key={at}
            rule={rule}
            number={at + 1}
            count={value.rules.length}
            onChange={(more) => setRule(at, more)}
            onMove={(by) => move(at, by)}
            onRemove={() => set({ rules: without(value.rules, at) })}
          />
        ))}
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
          <Button variant="outlined" disabled={value.rules.length >= mostRules} onClick={() => set({ rules: [...value.rules, newRule] })}>
            {t('bots.add')}
          </Button>
          <Button aria-busy={isLoading} onClick={() => !isLoading && void showPreview()}>
            {t('bots.preview')}
          </Button>
        </Box>
        {isFailure(error) && <ErrorPanel failure={error} title={t('bots.previewFailed')} />}
        {data && !error && (
          <Preview preview={data} rules={previewed ?? saved} outdated={previewed !== null && JSON.stringify(previewed) !== JSON.stringify(value)} />
        )}
      </FormSection>
    </>
  );
}

const valuesOf = (text: string): string[] => text.split('|').map((value) => value.trim());

type ConditionProps = {
  readonly condition: RuleCondition;
  readonly first: boolean;
  readonly onChange: (next: RuleCondition) => void;
  readonly onRemove: (() => void) | null;
};

function Condition({ condition, first, onChange, onRemove }: ConditionProps): ReactElement {
  const { t } = useTranslation('measuring');
  const ops = numberFields.has(condition.field) ? numberOps : textOps;
  const select = { input: <OutlinedInput /> };
  // Spaces around the bars belong to the typed text, never to the values.
  const [typed, setTyped] = useState('');
  const text = JSON.stringify(valuesOf(typed)) === JSON.stringify(condition.values) ? typed : condition.values.join(' | ');
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
      <Typography variant="body2" sx={{ width: 28, color: 'text.secondary' }}>
        {first ? t('bots.if') : t('bots.andShort')}
      </Typography>
      <NativeSelect
        {...select}
        value={condition.field}
        inputProps={{ 'aria-label': t('bots.field') }}
        onChange={(event) => {
          const field = event.target.value as RuleCondition['field'];
          const fits = numberFields.has(field) === numberFields.has(condition.field);
          onChange(fits ? { ...condition, field } : { field, op: numberFields.has(field) ? 'atLeast' : 'is', values: [numberFields.has(field) ? '1' : ''] });
        }}
      >
        {ruleFields.map((one) => (
          <option key={one} value={one}>
            {t(`ruleField.${one}`)}
          </option>
        ))}
      </NativeSelect>
      <NativeSelect
        {...select}
        value={condition.op}
        inputProps={{ 'aria-label': t('bots.op') }}
        onChange={(event) => onChange({ ...condition, op: event.target.value as RuleCondition['op'] })}
      >
        {ops.map((one) => (
          <option key={one} value={one}>
            {t(`ruleOp.${one}`)}
          </option>
        ))}
      </NativeSelect>
      <OutlinedInput
        sx={{ flex: '1 1 140px' }}
        value={text}
        placeholder={t(numberFields.has(condition.field) ? 'bots.number' : 'bots.values')}
        onChange={(event) => {
          setTyped(event.target.value);
          onChange({ ...condition, values: valuesOf(event.target.value) });
        }}
        slotProps={{ input: { 'aria-label': t('bots.values'), spellCheck: false } }}
      />
      {onRemove && (
        <IconButton aria-label={t('bots.removeCondition')} onClick={onRemove}>
          <Icon name="close" />
        </IconButton>
      )}
    </Box>
  );
}

function Preview({ preview, rules, outdated }: { readonly preview: RulesPreview; readonly rules: BotRules; readonly outdated: boolean }): ReactElement {
  const { t, i18n } = useTranslation('measuring');
  const write = (value: number): string => new Intl.NumberFormat(i18n.language).format(value);
  return (
    <Box role="status" sx={{ opacity: outdated ? 0.6 : 1 }}>
      <Typography variant="body2" sx={{ fontWeight: 500 }}>
        {outdated ? t('bots.outdated') : t('bots.previewTitle')}
      </Typography>
      <Box
        component="table"
        sx={{
          mt: 1,
          borderCollapse: 'collapse',
          fontSize: 'var(--text-table)',
          '& th, & td': { py: 0.5, pr: 3, textAlign: 'right', fontVariantNumeric: 'tabular-nums' },
          '& th:first-of-type': { textAlign: 'left' },
        }}
      >
        <thead>
          <tr>
            <th scope="col">{t('bots.visits')}</th>
            <th scope="col">{t('bots.now')}</th>
            <th scope="col">{t('bots.after')}</th>
          </tr>
        </thead>
        <tbody>
          {verdicts.map((one) => (
            <tr key={one}>
              <th scope="row">{t(`verdict.${one}`)}</th>
              <td>{write(preview.now[one])}</td>
              <td>{write(preview.then[one])}</td>
            </tr>
          ))}
        </tbody>
      </Box>
      <Box component="ul" sx={{ m: 0, mt: 1, pl: 2.5, fontSize: 'var(--text-table)', color: 'text.secondary' }}>
        {preview.moved.length === 0 && <li>{t('bots.nothingMoves')}</li>}
        {preview.moved.map(({ from, to, visits }) => (
          <li key={from + to}>{t('bots.moves', { count: visits, visits: write(visits), from: t(`verdict.${from}`), to: t(`verdict.${to}`) })}</li>
        ))}
        {preview.byRule.map((visits, at) => (
          <li key={at}>{t('bots.decides', { count: visits, rule: rules.rules[at]?.name || t('bots.rule', { number: at + 1 }), visits: write(visits) })}</li>
        ))}
      </Box>
    </Box>
  );
}
