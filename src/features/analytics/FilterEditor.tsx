import type { DimensionId, FilterOp } from '@contract/analytics/schemas';
import { Button, Popover } from '@mui/material';
import { styled } from '@mui/material/styles';
import { type FormEvent, type KeyboardEvent, type ReactElement, useDeferredValue, useId, useState } from 'react';
import { isInReach } from '@/lib/sharedLink';
import { useValuesQuery } from './analyticsApi';
import { closedDimensions, type Filter, filterGroups, opsOf } from './filters';
import type { Range } from './range';
import { useLabels } from './useLabels';

const Form = styled('form')({ width: 340, maxWidth: '90vw', padding: 16, display: 'grid', gap: 12 });
const Pair = styled('div')({ display: 'grid', gridTemplateColumns: '1fr 120px', gap: 8 });
const Label = styled('label')({ display: 'grid', gap: 4, fontSize: '0.75rem', color: 'var(--ink-2)' });
const field = {
  width: '100%',
  minWidth: 0,
  height: 34,
  padding: '4px 8px',
  border: '1px solid var(--n-4)',
  borderRadius: 'var(--radius)',
  background: 'var(--canvas)',
  color: 'var(--ink)',
  fontSize: '0.875rem',
} as const;
const Native = styled('select')(field);
const Input = styled('input')(field);
const Values = styled('ul')({
  listStyle: 'none',
  padding: 0,
  maxHeight: 220,
  overflow: 'auto',
  border: '1px solid var(--line)',
  borderRadius: 'var(--radius)',
  '& li + li': { borderTop: '1px solid var(--line)' },
});
const Value = styled('label')({
  display: 'flex',
  gap: 8,
  alignItems: 'center',
  padding: '6px 8px',
  cursor: 'pointer',
  fontSize: '0.8125rem',
  '&:hover': { background: 'var(--hover)' },
  '& span': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
});
const Foot = styled('div')({ display: 'flex', justifyContent: 'flex-end', gap: 8 });
const Note = styled('p')({ padding: '8px', color: 'var(--ink-2)', fontSize: '0.8125rem' });

/** Dimensions whose names are translated in the browser, so that the search matches the names and not the codes. */
const named = new Set<DimensionId>([...closedDimensions, 'city', 'sourceName', 'os', 'osVersion', 'browser', 'browserVersion', 'isp']);
const most = 100;

/** Choose a dimension, a condition and one or more values; suggestions are the values found in the current range. */
const FilterEditor = ({
  siteId,
  range,
  anchor,
  filter,
  onApply,
  onClose,
}: {
  siteId: string;
  range: Range;
  anchor: HTMLElement;
  filter: Filter | null;
  onApply: (filter: Filter) => void;
  onClose: () => void;
}): ReactElement => {
  const { t, nameOf } = useLabels();
  const id = useId();
  const reachable = filterGroups.map((group) => ({ ...group, dimensions: group.dimensions.filter(isInReach) })).filter((group) => group.dimensions.length > 0);
  const [by, setBy] = useState<DimensionId>(filter?.by ?? reachable[0]?.dimensions[0] ?? 'sourceType');
  const [op, setOp] = useState<FilterOp>(filter?.op ?? 'is');
  const [values, setValues] = useState<readonly string[]>(filter?.values ?? []);
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed.trim());
  const free = op === 'contains' || op === 'excludes';
  const { data: known = [], isFetching } = useValuesQuery({ siteId, by, q: named.has(by) ? '' : search, from: range.from, to: range.to });
  // Without a search only the most frequent values are loaded; the rest is found by its stored text.
  const { currentData: stored = [] } = useValuesQuery(
    { siteId, by, q: search, from: range.from, to: range.to },
    { skip: search === '' || !named.has(by) || closedDimensions.has(by) },
  );
  const meant = (key: string): boolean => !named.has(by) || stored.includes(key) || nameOf(by, key).toLowerCase().includes(search.toLowerCase());
  const found = [...new Set([...known, ...(search === '' ? [] : stored)])].filter(meant).slice(0, most);
  const listed = [...values.filter((key) => !found.includes(key)), ...found];

  const toggle = (key: string): void => setValues(values.includes(key) ? values.filter((one) => one !== key) : [...values, key]);
  /** A typed name is mapped to its value: 百度 is stored as Baidu. */
  const valueOf = (text: string): string => (free ? text : (known.find((key) => nameOf(by, key).toLowerCase() === text.toLowerCase()) ?? text));
  const takeTyped = (): readonly string[] => (typed.trim() === '' ? values : [...new Set([...values, valueOf(typed.trim())])]);
  const chosen = closedDimensions.has(by) ? values : takeTyped();
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || typed.trim() === '' || closedDimensions.has(by)) return;
    event.preventDefault();
    setValues(takeTyped());
    setTyped('');
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (chosen.length > 0) onApply({ by, op, values: chosen });
  };
  return (
    <Popover
      open
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
      slotProps={{ paper: { role: 'dialog', 'aria-label': t('filter.add') } }}
    >
      <Form onSubmit={submit}>
        <Pair>
          <Label>
            {t('filter.dimension')}
            <Native
              value={by}
              autoFocus
              onChange={(event) => {
                setBy(event.target.value as DimensionId);
                setOp('is');
                setValues([]);
                setTyped('');
              }}
            >
              {reachable.map((group) => (
                <optgroup key={group.id} label={t(`group.${group.id}`)}>
                  {group.dimensions.map((one) => (
                    <option key={one} value={one}>
                      {t(`dimension.${one}`)}
                    </option>
                  ))}
                </optgroup>
              ))}
            </Native>
          </Label>
          <Label>
            {t('filter.op')}
            <Native value={op} onChange={(event) => setOp(event.target.value as FilterOp)}>
              {opsOf(by).map((one) => (
                <option key={one} value={one}>
                  {t(`op.${one}`)}
                </option>
              ))}
            </Native>
          </Label>
        </Pair>
        <Label htmlFor={`${id}-value`}>
          {t('filter.value')}
          <Input
            id={`${id}-value`}
            value={typed}
            autoComplete="off"
            placeholder={t('filter.valueHelp')}
            maxLength={500}
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={onKeyDown}
          />
        </Label>
        {(!free || values.length > 0) && (
          <Values aria-label={t('filter.suggestions')} aria-busy={isFetching} style={{ opacity: isFetching ? 0.6 : 1 }}>
            {listed.map((key) => (
              <li key={key}>
                <Value title={key}>
                  <input type="checkbox" checked={values.includes(key)} onChange={() => toggle(key)} />
                  <span>{nameOf(by, key)}</span>
                </Value>
              </li>
            ))}
            {listed.length === 0 && !isFetching && (
              <li>
                <Note>{t('filter.none')}</Note>
              </li>
            )}
          </Values>
        )}
        <Foot>
          <Button onClick={onClose}>{t('filter.cancel')}</Button>
          <Button type="submit" variant="contained" disabled={chosen.length === 0}>
            {t('filter.apply')}
          </Button>
        </Foot>
      </Form>
    </Popover>
  );
};

export default FilterEditor;
