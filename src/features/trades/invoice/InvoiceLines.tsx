import { Box, Checkbox, OutlinedInput, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { minorDigits } from '@contract/trades/ledger';
import type { Currency, Order } from '@contract/trades/ledger';
import { fixedText, parseFixed } from '@/lib/money';
import { FieldGroup } from '@/ui/form/Field';
import { tidyAmount } from '@/ui/form/MoneyField';
import { RowList } from '@/ui/list/RowList';
import { leftToInvoice } from '../orderStatus';
import { useMoney } from '../useTrades';

/** Amounts as typed, by order; an order that is absent is not covered. */
export type TypedLines = Readonly<Record<string, string>>;
/** Why a line, or the selection as a whole (`''`), is invalid. */
export type LineErrors = Readonly<Record<string, 'pattern' | 'tooMuch' | 'zero' | 'none' | 'mixed'>>;

const whole = (order: Order): string => fixedText(leftToInvoice(order), minorDigits(order.currency), true);
/** A single order is selected; of several, those in the currency of the first. */
export const startLines = (orders: readonly Order[]): TypedLines =>
  Object.fromEntries(orders.filter((one) => one.currency === orders[0]?.currency).map((one) => [one.id, whole(one)]));

export function readLines(orders: readonly Order[], lines: TypedLines): { orders: { orderId: string; amount: number }[] | null; errors: LineErrors } {
  const errors: Record<string, LineErrors[string]> = {};
  const chosen = orders.filter((one) => one.id in lines);
  const read = chosen.map((one) => {
    const amount = parseFixed(lines[one.id] ?? '', minorDigits(one.currency));
    if (amount === null) errors[one.id] = 'pattern';
    else if (amount === 0) errors[one.id] = 'zero';
    else if (amount > leftToInvoice(one)) errors[one.id] = 'tooMuch';
    return { orderId: one.id, amount: amount ?? 0 };
  });
  if (chosen.length === 0) errors[''] = 'none';
  if (new Set(chosen.map((one) => one.currency)).size > 1) errors[''] = 'mixed';
  return { orders: Object.keys(errors).length === 0 ? read : null, errors };
}

type Props = {
  readonly idPrefix: string;
  readonly orders: readonly Order[];
  readonly lines: TypedLines;
  readonly errors: LineErrors;
  readonly onLines: (lines: TypedLines) => void;
};

type AmountProps = {
  readonly id: string;
  readonly order: Order;
  readonly typed: string;
  readonly disabled: boolean;
  readonly autoFocus: boolean;
  readonly faulty: boolean;
  readonly onTyped: (typed: string) => void;
};

/** The amount of an order that the invoice covers. */
function AmountInput({ id, order, typed, disabled, autoFocus, faulty, onTyped }: AmountProps): ReactElement {
  const { t } = useTranslation('trades');
  return (
    <Box sx={{ width: 140 }}>
      <OutlinedInput
        fullWidth
        id={id}
        disabled={disabled}
        autoFocus={autoFocus}
        value={typed}
        error={faulty}
        onChange={(event) => onTyped(event.target.value)}
        onBlur={() => {
          const tidy = tidyAmount(typed, minorDigits(order.currency));
          if (!disabled && tidy !== typed) onTyped(tidy);
        }}
        slotProps={{
          input: {
            'aria-label': t('invoice.amountOf', { number: order.number }),
            'aria-invalid': faulty,
            ...(faulty && { 'aria-describedby': `${id}-error` }),
            inputMode: 'decimal',
            autoComplete: 'off',
            style: { textAlign: 'right' },
          },
        }}
      />
    </Box>
  );
}

/** Orders that the invoice covers, each with its covered amount. */
export function InvoiceLines({ idPrefix, orders, lines, errors, onLines }: Props): ReactElement {
  const { t } = useTranslation('trades');
  const money = useMoney();
  const first = orders.find((one) => one.id in lines);
  const currency: Currency = first?.currency ?? orders[0]?.currency ?? 'CNY';
  const sum = orders.reduce((all, one) => all + (one.id in lines ? (parseFixed(lines[one.id] ?? '', minorDigits(one.currency)) ?? 0) : 0), 0);
  const choose = (order: Order, on: boolean) =>
    onLines(on ? { ...lines, [order.id]: whole(order) } : Object.fromEntries(Object.entries(lines).filter(([id]) => id !== order.id)));
  return (
    <FieldGroup label={t('invoice.covers')} error={errors[''] && t(`invoice.errors.${errors['']}`)}>
      <RowList>
        {orders.map((order) => {
          const on = order.id in lines;
          const error = errors[order.id];
          return (
            <Box
              component="li"
              key={order.id}
              sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, py: 0.75, borderBottom: 1, borderColor: 'divider' }}
            >
              <Box
                component="label"
                sx={{ display: 'flex', alignItems: 'center', gap: 1, flex: '1 1 200px', minWidth: 0, cursor: orders.length > 1 ? 'pointer' : 'default' }}
              >
                {orders.length > 1 && <Checkbox checked={on} onChange={(_event, next) => choose(order, next)} sx={{ p: 0.5 }} />}
                <Box component="span" sx={{ minWidth: 0 }}>
                  <Box component="span" sx={{ display: 'block', overflowWrap: 'anywhere' }}>
                    {order.title}
                  </Box>
                  <Typography component="span" variant="caption" sx={{ color: 'text.secondary' }}>
                    {order.number} · {t('invoice.left', { amount: money(leftToInvoice(order), order.currency) })}
                  </Typography>
                </Box>
              </Box>
              <AmountInput
                id={`${idPrefix}-${order.id}`}
                order={order}
                typed={lines[order.id] ?? ''}
                disabled={!on}
                autoFocus={orders.length === 1}
                faulty={error !== undefined}
                onTyped={(typed) => onLines({ ...lines, [order.id]: typed })}
              />
              {error && (
                <Typography
                  id={`${idPrefix}-${order.id}-error`}
                  role="alert"
                  variant="caption"
                  sx={{ flexBasis: '100%', textAlign: 'right', color: 'error.main' }}
                >
                  {t(`invoice.errors.${error}`, { amount: money(leftToInvoice(order), order.currency) })}
                </Typography>
              )}
            </Box>
          );
        })}
      </RowList>
      <Box sx={{ display: 'flex', justifyContent: 'space-between', pt: 1, fontWeight: 600 }}>
        <span>{t('invoice.amount')}</span>
        <span>{money(sum, currency)}</span>
      </Box>
    </FieldGroup>
  );
}
