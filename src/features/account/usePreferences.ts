import { useCallback } from 'react';
import type { UserChange } from '@contract/account';
import { failureWords, noticeShown } from '@/features/notices/noticesSlice';
import { isFailure } from '@/store/failure';
import { useAppDispatch, useAppStore } from '@/store/hooks';
import { accountApi } from './accountApi';
import { selectUser } from './userSlice';

/** Changes language, scheme or colour of the signed-in person: shown at once, kept on the server, taken back when refused. */
export function useSetPreference(): (change: Pick<UserChange, 'locale' | 'colorScheme' | 'primary'>) => Promise<void> {
  const dispatch = useAppDispatch();
  const store = useAppStore();
  return useCallback(
    async (change) => {
      const user = selectUser(store.getState());
      if (!user) return;
      const result = await dispatch(accountApi.endpoints.changeUser.initiate({ id: user.id, revision: user.revision, change }));
      if (!isFailure(result.error)) return;
      dispatch(noticeShown({ tone: 'bad', words: failureWords(result.error), requestId: result.error.requestId }));
      await dispatch(accountApi.endpoints.user.initiate(user.id, { forceRefetch: true, subscribe: false }));
    },
    [dispatch, store],
  );
}
