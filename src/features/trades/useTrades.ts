import { useCallback } from 'react';
import { minorDigits } from '@contract/trades/ledger';
import type { Currency } from '@contract/trades/ledger';
import { noticeShown, notifyFailure } from '@/features/notices/noticesSlice';
import { selectUser } from '@/features/account/userSlice';
import { selectMay, selectSession } from '@/features/session/sessionSlice';
import { useMoneyWriter } from '@/lib/money';
import { useToday } from '@/lib/useToday';
import { useAppDispatch, useAppSelector } from '@/store/hooks';

/** Formats minor units as money in the reader's language: ¥1,250.00. */
export function useMoney(): (minor: number, currency: Currency) => string {
  const write = useMoneyWriter();
  return useCallback((minor, currency) => write(minor, currency, minorDigits(currency)), [write]);
}

/** The reader's time zone, in which days of the ledger are counted, and today's date there. */
export function useReaderDay(): { readonly timeZone: string; readonly today: string } {
  const timeZone = useAppSelector(selectUser)?.timeZone ?? 'Asia/Shanghai';
  return { timeZone, today: useToday(timeZone) };
}

/** The person's permissions here, and their id. */
export function useTradeRights(): { readonly write: boolean; readonly all: boolean; readonly userId: string } {
  const write = useAppSelector((state) => selectMay(state, 'trades.write'));
  const all = useAppSelector((state) => selectMay(state, 'trades.readAll'));
  return { write, all, userId: useAppSelector(selectSession)?.userId ?? '' };
}

type Values = Readonly<Record<string, string | number>>;

/** Shows the result of an action in a notice. */
export function useTradeNotices(): {
  readonly good: (key: string, values?: Values) => void;
  readonly warning: (key: string, values?: Values) => void;
  readonly bad: (error: unknown) => void;
} {
  const dispatch = useAppDispatch();
  const say = useCallback(
    (tone: 'good' | 'warning', key: string, values: Values = {}) => void dispatch(noticeShown({ tone, message: { key: `trades:${key}`, values } })),
    [dispatch],
  );
  return {
    good: useCallback((key, values) => say('good', key, values), [say]),
    warning: useCallback((key, values) => say('warning', key, values), [say]),
    bad: useCallback(
      (error) => {
        notifyFailure(dispatch, error);
      },
      [dispatch],
    ),
  };
}
