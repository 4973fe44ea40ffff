import { useCallback } from 'react';
import type { UserChange } from '@contract/account/schemas';
import type { User } from '@contract/session/schemas';
import { failureWords, noticeShown } from '@/features/notices/noticesSlice';
import { isFailure, isStale } from '@/store/failure';
import { useAppDispatch, useAppStore } from '@/store/hooks';
import { accountApi } from './accountApi';
import { selectUser } from './userSlice';

/** Changes language, scheme, colour or wanted mails of the signed-in person: shown at once, kept on the server, taken back when refused. */
export function useSetPreference(): (change: Pick<UserChange, 'locale' | 'colorScheme' | 'primary' | 'notices'>) => Promise<void> {
  const dispatch = useAppDispatch();
  const store = useAppStore();
  return useCallback(
    async (change) => {
      const user = selectUser(store.getState());
      if (!user) return;
      const put = (revision: number) => dispatch(accountApi.endpoints.changeUser.initiate({ id: user.id, revision, body: change }));
      let result = await put(user.revision);
      // Two quick choices, or one in another tab: nothing typed can be lost here, so the last choice holds.
      if (isFailure(result.error) && isStale(result.error)) result = await put((result.error.current as User).revision);
      if (!isFailure(result.error)) return;
      dispatch(noticeShown({ tone: 'bad', words: failureWords(result.error), requestId: result.error.requestId }));
      await dispatch(accountApi.endpoints.user.initiate({ id: user.id }, { forceRefetch: true, subscribe: false }));
    },
    [dispatch, store],
  );
}
