import type { DimensionId, FilterOp } from '@contract/analytics/schemas';
import { Button, Popover } from '@mui/material';
import { styled } from '@mui/material/styles';
import { type FormEvent, type KeyboardEvent, type ReactElement, useId } from 'react';
import { type Filter, opsOf } from './filters';
import type { Range } from './range';
import { type FilterDraft, reachableGroups, useFilterDraft } from './useFilterDraft';
import { useLabels } from './useLabels';

const Form = styled('form')({ width: 340, maxWidth: '90vw', padding: 16, display: 'grid', gap: 12 });
const Pair = styled('div')({ display: 'grid', gridTemplateColumns: '1fr 120px', gap: 8 });
const Label = styled('label')({ display: 'grid', gap: 4, fontSize: 'var(--text-secondary)', color: 'var(--ink-2)' });
const field = {
  width: '100%',
  minWidth: 0,
  height: 34,
  padding: '4px 8px',
  border: '1px solid var(--n-4)',
  borderRadius: 'var(--radius)',
  background: 'var(--canvas)',
  color: 'var(--ink)',
  fontSize: 'var(--text-body)',
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
  fontSize: 'var(--text-table)',
  '&:hover': { background: 'var(--hover)' },
  '& span': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
});
const Foot = styled('div')({ display: 'flex', justifyContent: 'flex-end', gap: 8 });
const Note = styled('p')({ padding: '8px', color: 'var(--ink-2)', fontSize: 'var(--text-table)' });

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
  const { t } = useLabels();
  const id = useId();
  const draft = useFilterDraft({ siteId, range, filter });
  const { by, op, typed, chosen } = draft;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && draft.addTyped()) event.preventDefault();
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
        <Condition draft={draft} />
        <Label htmlFor={`${id}-value`}>
          {t('filter.value')}
          <Input
            id={`${id}-value`}
            value={typed}
            autoComplete="off"
            placeholder={t('filter.valueHelp')}
            maxLength={500}
            onChange={(event) => draft.setTyped(event.target.value)}
            onKeyDown={onKeyDown}
          />
        </Label>
        {draft.hasList && <ValueList draft={draft} />}
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

const Condition = ({ draft: { by, setBy, op, setOp } }: { readonly draft: FilterDraft }): ReactElement => {
  const { t } = useLabels();
  return (
    <Pair>
      <Label>
        {t('filter.dimension')}
        <Native value={by} autoFocus onChange={(event) => setBy(event.target.value as DimensionId)}>
          {reachableGroups().map((group) => (
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
  );
};

const ValueList = ({ draft: { by, values, listed, isFetching, toggle } }: { readonly draft: FilterDraft }): ReactElement => {
  const { t, nameOf } = useLabels();
  return (
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
  );
};

export default FilterEditor;
