import { useEffect, useMemo, useRef, useState } from 'react';
import { selectSession } from '@/features/session/sessionSlice';
import { useLive } from '@/lib/useLive';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import type { GridProps, OtherUser } from '../grid/types';
import { tablesApi } from '../tablesApi';

/** A user is considered gone after this long without a message; active users send messages in between. Milliseconds. */
const forgottenMs = 30_000;
const stillMs = 15_000;
const colors = ['var(--chart-1)', 'var(--chart-2)', 'var(--chart-3)', 'var(--chart-4)', 'var(--chart-7)', 'var(--chart-5)'];
type PresentUser = { readonly userId: string; readonly name: string; readonly recordId: string | null; readonly fieldId: string | null; readonly at: number };

/** Positions of other users in the table; also announces the reader's own. */
export function usePresence(
  siteId: string,
  table: string,
): { readonly others: readonly OtherUser[]; readonly here: readonly string[]; readonly onActive: NonNullable<GridProps['onActive']> } {
  const dispatch = useAppDispatch();
  const own = useAppSelector(selectSession)?.userId;
  const [presentUsers, setPresentUsers] = useState<readonly PresentUser[]>([]);
  const place = useRef<{ recordId: string | null; fieldId: string | null } | null>(null);
  useLive(
    useMemo(() => [`table:${siteId}`], [siteId]),
    (signal) => {
      if (signal.type !== 'presence' || signal.tableId !== table || signal.userId === own) return;
      const { userId, name, recordId, fieldId } = signal;
      setPresentUsers((before) => [...before.filter((one) => one.userId !== userId), { userId, name, recordId, fieldId, at: Date.now() }]);
    },
  );
  useEffect(() => {
    const say = () => {
      if (place.current && document.visibilityState === 'visible')
        void dispatch(tablesApi.endpoints.present.initiate({ siteId, table, body: place.current }, { track: false }));
    };
    const timer = setInterval(() => {
      setPresentUsers((before) =>
        before.some(({ at }) => at < Date.now() - forgottenMs) ? before.filter(({ at }) => at >= Date.now() - forgottenMs) : before,
      );
      say();
    }, stillMs);
    return () => {
      clearInterval(timer);
      place.current = null;
    };
  }, [dispatch, siteId, table]);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(() => () => clearTimeout(timer.current ?? undefined), []);
  return {
    here: useMemo(() => presentUsers.map(({ name }) => name), [presentUsers]),
    others: useMemo(
      () =>
        presentUsers.flatMap(({ userId, name, recordId, fieldId }, at): OtherUser[] =>
          recordId !== null && fieldId !== null ? [{ id: userId, name, rowId: recordId, column: fieldId, color: colors[at % colors.length] ?? '' }] : [],
        ),
      [presentUsers],
    ),
    onActive: (at) => {
      const fieldId = at?.column.startsWith('f_') === true ? at.column : null;
      place.current = { recordId: at?.rowId ?? null, fieldId };
      clearTimeout(timer.current ?? undefined);
      // While the reader moves with arrow keys, only the cell where they stop is announced.
      timer.current = setTimeout(() => {
        if (place.current) void dispatch(tablesApi.endpoints.present.initiate({ siteId, table, body: place.current }, { track: false }));
      }, 400);
    },
  };
}
