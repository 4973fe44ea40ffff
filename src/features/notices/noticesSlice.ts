import { createSlice, nanoid } from '@reduxjs/toolkit';
import type { Dispatch, PayloadAction, UnknownAction } from '@reduxjs/toolkit';
import type { StoredNotice } from '@contract/notices/schemas';
import { failureText, isFailure } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { noticesApi } from './noticesApi';

export type NoticeTone = 'info' | 'good' | 'warning' | 'bad';
/** The text: a message key with its values (`ns:key`), or a text that the server has already localized. */
export type NoticeMessage = { readonly key: string; readonly values?: Readonly<Record<string, string | number>> } | { readonly text: string };
export type Notice = {
  readonly id: string;
  readonly tone: NoticeTone;
  readonly message: NoticeMessage;
  /** At most one; pressing it dispatches `does` and closes the notice. Plain data, so that a session can be replayed. */
  readonly action?: { readonly message: NoticeMessage; readonly does: UnknownAction };
  readonly requestId?: string;
  /** Milliseconds on the screen; null stays until dismissed, which is the default of errors. */
  readonly for: number | null;
  /** Epoch ms. */
  readonly at: number;
};
/** `queue` is displayed; `history`, of this page, and `stored`, from the server, are listed behind the bell, newest first. `unread` counts in `history`. */
type State = { queue: Notice[]; history: Notice[]; unread: number; stored: StoredNotice[] };
const initialState: State = { queue: [], history: [], unread: 0, stored: [] };
/** The message of a failed call: the server's own if there is one; none if the person cancelled the proof of identity, which they already know. */
export const failureMessage = (failure: Pick<ApiFailure, 'status' | 'message'> & { readonly kind: string; readonly code?: string }): NoticeMessage =>
  failure.code === 'reauth_required' ? { text: '' } : failureText(failure);
type Input = { tone?: NoticeTone; message: NoticeMessage; action?: Notice['action']; requestId?: string | undefined; for?: number | null; id?: string };

export const noticesSlice = createSlice({
  name: 'notices',
  initialState,
  reducers: {
    noticeShown: {
      prepare: ({ id, tone = 'info', message, action, requestId, for: ms }: Input) => ({
        payload: {
          id: id ?? nanoid(8),
          tone,
          message,
          ...(action ? { action } : {}),
          ...(requestId === undefined ? {} : { requestId }),
          for: ms === undefined ? (tone === 'bad' ? null : 5000) : ms,
          at: Date.now(),
        } satisfies Notice as Notice,
      }),
      reducer: (state, { payload }: PayloadAction<Notice>) => {
        if ('text' in payload.message && payload.message.text === '') return;
        // An error that repeats replaces its predecessor: without a connection, every attempt fails alike.
        const text = JSON.stringify(payload.message);
        const others = (list: readonly Notice[]) =>
          list.filter((one) => one.id !== payload.id && (one.tone !== 'bad' || payload.tone !== 'bad' || JSON.stringify(one.message) !== text));
        const otherNotices = others(state.queue);
        // Good news that disappears needs no mark on the bell.
        if ((payload.tone === 'bad' || payload.tone === 'warning') && otherNotices.length === state.queue.length) state.unread += 1;
        state.queue = [...otherNotices, payload].slice(-20);
        state.history = [payload, ...others(state.history)].slice(0, 20);
      },
    },
    dismissed: (state, { payload: id }: PayloadAction<string>) => {
      state.queue = state.queue.filter((one) => one.id !== id);
    },
    allRead: (state) => {
      state.unread = 0;
    },
  },
  extraReducers: (b) =>
    b
      .addMatcher(noticesApi.endpoints.notices.matchFulfilled, (state, { payload }) => {
        state.stored = payload.rows;
      })
      .addMatcher(noticesApi.endpoints.readNotices.matchFulfilled, (state, { payload }) => {
        state.stored = payload.rows;
      }),
  selectors: {
    selectNotices: (state) => state.queue,
    selectHistory: (state) => state.history,
    selectStored: (state) => state.stored,
    selectUnread: (state) => state.unread + state.stored.filter(({ read }) => !read).length,
  },
});

export const { noticeShown, dismissed: noticeDismissed, allRead: noticesRead } = noticesSlice.actions;
/** Shows a notice for a failed call. Anything else, such as `undefined` after a success, shows none. */
export function notifyFailure(dispatch: Dispatch, error: unknown): void {
  if (isFailure(error)) dispatch(noticeShown({ tone: 'bad', message: failureMessage(error), requestId: error.requestId }));
}
export const { selectNotices, selectHistory, selectStored, selectUnread } = noticesSlice.selectors;
