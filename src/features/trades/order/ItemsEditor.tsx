import Add from '@mui/icons-material/AddOutlined';
import Down from '@mui/icons-material/ArrowDownwardOutlined';
import Up from '@mui/icons-material/ArrowUpwardOutlined';
import Delete from '@mui/icons-material/DeleteOutlineOutlined';
import { Box, Button, IconButton, OutlinedInput, Typography } from '@mui/material';
import { useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import { useController, useFieldArray, useWatch } from 'react-hook-form';
import type { Control } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { minorDigits } from '@contract/trades/ledger';
import type { Currency, OrderInput } from '@contract/trades/ledger';
import { FieldGroup, FieldNote } from '@/ui/form/Field';
import { tidyAmount } from '@/ui/form/MoneyField';
import type { ContractForm } from '@/ui/form/useContractForm';
import { useFieldErrorMessage } from '@/ui/form/useFieldErrorMessage';
import { useMoney } from '../useTrades';
import { Totals } from './Totals';
import { blankItem, previewAmounts, readQuantity } from './orderForm';
import type { TypedItem, TypedOrder } from './orderForm';

type Values = z.output<typeof OrderInput>;
const parts = ['name', 'quantity', 'unitPrice', 'discount', 'taxRate'] as const satisfies readonly (keyof TypedItem)[];
type Part = (typeof parts)[number];
const mostLines = 100;

/** One row of six columns on a desktop; on a phone the fields are stacked with their labels. */
const columns = { xs: 'repeat(2, minmax(0, 1fr))', md: 'minmax(140px, 1fr) 72px 108px 96px 64px 104px 96px' };
const onlyRead = { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)', whiteSpace: 'nowrap' } as const;

type CellProps = {
  readonly control: Control<TypedOrder, unknown, Values>;
  readonly line: number;
  readonly part: Part;
  readonly digits: number;
};

function Cell({ control, line, part, digits }: CellProps): ReactElement {
  const { t } = useTranslation('trades');
  const { field, fieldState } = useController({ control, name: `items.${line}.${part}` });
  const say = useFieldErrorMessage();
  const error = say(fieldState.error?.message, {
    pattern: t(part === 'quantity' ? 'items.badQuantity' : part === 'taxRate' ? 'items.badRate' : 'amountPattern'),
    ...(part === 'discount' && { out_of_range: t('items.discountTooLarge') }),
    ...(part === 'taxRate' && { out_of_range: t('items.badRate') }),
  });
  const noteId = `item-${line}-${part}-note`;
  const text = part === 'name';
  const tidy = (typed: string): string => {
    if (text || typed.trim() === '') return typed;
    if (part === 'quantity') return readQuantity(typed) ?? typed;
    return part === 'taxRate' ? typed.normalize('NFKC').replace(/%$/, '').trim() : tidyAmount(typed, digits);
  };
  return (
    <Box sx={{ minWidth: 0, gridColumn: { xs: text ? '1 / -1' : 'auto', md: 'auto' } }}>
      <Typography component="div" aria-hidden variant="caption" sx={{ display: { md: 'none' }, color: 'text.secondary' }}>
        {t(`items.${part}`)}
      </Typography>
      <OutlinedInput
        fullWidth
        value={field.value}
        name={field.name}
        error={error !== undefined}
        inputRef={field.ref}
        onChange={field.onChange}
        onBlur={() => {
          const tidied = tidy(field.value);
          if (tidied !== field.value) field.onChange(tidied);
          field.onBlur();
        }}
        slotProps={{
          input: {
            'aria-label': t('items.cell', { n: line + 1, part: t(`items.${part}`) }),
            'aria-invalid': error !== undefined,
            'aria-describedby': noteId,
            'data-cell': `${line}.${part}`,
            autoComplete: 'off',
            maxLength: text ? 100 : 40,
            ...(text ? {} : { inputMode: 'decimal' as const, style: { textAlign: 'right' as const } }),
          } as object,
        }}
        sx={{ '& input': { px: 1 } }}
      />
      <FieldNote id={noteId} error={error} />
    </Box>
  );
}

function Head(): ReactElement {
  const { t } = useTranslation('trades');
  return (
    <Box
      aria-hidden
      sx={{
        display: { xs: 'none', md: 'grid' },
        gridTemplateColumns: columns,
        gap: 1,
        py: 0.75,
        fontSize: 'var(--text-secondary)',
        fontWeight: 500,
        color: 'text.secondary',
      }}
    >
      {parts.map((part) => (
        <Box key={part} sx={{ textAlign: part === 'name' ? 'left' : 'right', px: 1 }}>
          {t(`items.${part}`)}
        </Box>
      ))}
      <Box sx={{ textAlign: 'right' }}>{t('items.amount')}</Box>
    </Box>
  );
}

type RowProps = Omit<CellProps, 'part'> & {
  readonly last: boolean;
  /** Formatted with its currency. */
  readonly amount: string;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
};

function ItemRow({ control, line, last, digits, amount, onMove, onRemove }: RowProps): ReactElement {
  const { t } = useTranslation('trades');
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gridTemplateColumns: columns,
        gap: 1,
        py: 0.75,
        alignItems: 'start',
        borderTop: { xs: line === 0 ? 0 : 1, md: 0 },
        borderColor: { xs: 'divider' },
      }}
    >
      {parts.map((part) => (
        <Cell key={part} control={control} line={line} part={part} digits={digits} />
      ))}
      <Box
        sx={{
          alignSelf: { xs: 'center', md: 'start' },
          textAlign: { md: 'right' },
          lineHeight: { md: '32px' },
          fontSize: 'var(--text-table)',
          whiteSpace: 'nowrap',
        }}
      >
        <Box component="span" sx={{ display: { md: 'none' }, color: 'text.secondary', mr: 1 }}>
          {t('items.amount')}
        </Box>
        {amount}
      </Box>
      <Box sx={{ display: 'flex', justifyContent: 'flex-end', alignSelf: { xs: 'center', md: 'start' } }}>
        <IconButton disabled={line === 0} aria-label={t('items.up', { n: line + 1 })} title={t('items.up', { n: line + 1 })} onClick={() => onMove(-1)}>
          <Up />
        </IconButton>
        <IconButton disabled={last} aria-label={t('items.down', { n: line + 1 })} title={t('items.down', { n: line + 1 })} onClick={() => onMove(1)}>
          <Down />
        </IconButton>
        <IconButton aria-label={t('items.remove', { n: line + 1 })} title={t('items.remove', { n: line + 1 })} onClick={onRemove}>
          <Delete />
        </IconButton>
      </Box>
    </Box>
  );
}

/** The lines of the order and their keyboard and button actions; a removed line can be restored. */
function useItemLines(form: ContractForm<TypedOrder, Values>) {
  const { control } = form;
  const { fields, append, insert, remove, swap } = useFieldArray({ control, name: 'items' });
  const [removed, setRemoved] = useState<{ readonly at: number; readonly item: TypedItem } | null>(null);
  const items = useWatch({ control, name: 'items' });
  const focus = (line: number, part: Part) => form.setFocus(`items.${line}.${part}`);
  const add = () => {
    if (fields.length >= mostLines) return;
    append(blankItem(items.at(-1)?.taxRate), { shouldFocus: true, focusName: `items.${fields.length}.name` });
  };
  const move = (line: number, by: -1 | 1, part: Part = 'name') => {
    const to = line + by;
    if (to < 0 || to >= fields.length) return;
    swap(line, to);
    setTimeout(() => focus(to, part));
  };
  const drop = (line: number) => {
    const item = items[line];
    remove(line);
    if (item && (item.name !== '' || item.unitPrice !== '')) setRemoved({ at: line, item });
    if (fields.length === 1) append(blankItem(item?.taxRate), { shouldFocus: false });
    setTimeout(() => focus(Math.max(0, Math.min(line, fields.length - 2)), 'name'));
  };
  const restore = () => {
    if (!removed) return;
    insert(Math.min(removed.at, fields.length), removed.item, { shouldFocus: true, focusName: `items.${removed.at}.name` });
    setRemoved(null);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (!(event.target instanceof HTMLInputElement) || event.nativeEvent.isComposing) return;
    const [at, name] = event.target.dataset['cell']?.split('.') ?? [];
    const part = parts.find((one) => one === name);
    if (at === undefined || part === undefined) return;
    const line = Number(at);
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      if (line + 1 < fields.length) focus(line + 1, part);
      else add();
    }
    if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      event.preventDefault();
      move(line, event.key === 'ArrowUp' ? -1 : 1, part);
    }
  };
  return { fields, items, removed, add, move, drop, restore, onKeyDown };
}

/** The lines of an order. Enter moves to the same field of the next line, and adds one after the last; Alt with an arrow moves the line. */
export function ItemsEditor({ form, currency }: { readonly form: ContractForm<TypedOrder, Values>; readonly currency: Currency }): ReactElement {
  const { t } = useTranslation('trades');
  const money = useMoney();
  const { control } = form;
  const { fields, items, removed, add, move, drop, restore, onKeyDown } = useItemLines(form);
  const digits = minorDigits(currency);
  const { lines, sums, whole } = previewAmounts(items, currency);

  return (
    <FieldGroup label={t('items.label')} help={t('items.help')}>
      <Box onKeyDown={onKeyDown} sx={{ borderTop: 1, borderColor: 'divider' }}>
        <Head />
        <Box component="ol" aria-label={t('items.label')} sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {fields.map((field, line) => (
            <ItemRow
              key={field.id}
              control={control}
              line={line}
              last={line === fields.length - 1}
              digits={digits}
              amount={lines[line] ? money(lines[line].amount, currency) : '—'}
              onMove={(by) => move(line, by)}
              onRemove={() => drop(line)}
            />
          ))}
        </Box>
        <Box
          sx={{
            display: 'flex',
            flexWrap: 'wrap',
            justifyContent: 'space-between',
            alignItems: 'flex-start',
            gap: 2,
            borderTop: 1,
            borderColor: 'divider',
            pt: 1,
          }}
        >
          <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
            <Button variant="outlined" startIcon={<Add />} onClick={add} disabled={fields.length >= mostLines}>
              {t('items.add')}
            </Button>
            <Box role="status" sx={removed ? { fontSize: 'var(--text-table)', color: 'text.secondary' } : onlyRead}>
              {removed && (
                <>
                  {t('items.removed', { name: removed.item.name === '' ? t('items.unnamed') : removed.item.name })}
                  <Button onClick={restore} sx={{ textDecoration: 'underline', minWidth: 0, ml: 0.5, px: 0.5 }}>
                    {t('undo')}
                  </Button>
                </>
              )}
            </Box>
          </Box>
          <Totals sums={sums} currency={currency} note={whole ? undefined : t('items.partial')} />
        </Box>
      </Box>
    </FieldGroup>
  );
}
