import { useCallback } from 'react';
import type { UserChange } from '@contract/account/schemas';
import type { User } from '@contract/session/schemas';
import { failureMessage, noticeShown } from '@/features/notices/noticesSlice';
import { isFailure, isStale } from '@/lib/failure';
import { useAppDispatch, useAppStore } from '@/store/hooks';
import { accountApi } from './accountApi';
import { selectUser } from './userSlice';

/** Changes language, scheme, colour or mail preferences of the signed-in person: applied immediately, stored on the server, reverted on failure. */
export function useSetPreference(): (change: Pick<UserChange, 'locale' | 'colorScheme' | 'primary' | 'notices'>) => Promise<void> {
  const dispatch = useAppDispatch();
  const store = useAppStore();
  return useCallback(
    async (change) => {
      const user = selectUser(store.getState());
      if (!user) return;
      const put = (revision: number) => dispatch(accountApi.endpoints.changeUser.initiate({ id: user.id, revision, body: change }));
      let result = await put(user.revision);
      // Two quick choices, or one in another tab: there is no input to lose, so the last choice wins.
      if (isFailure(result.error) && isStale(result.error)) result = await put((result.error.current as User).revision);
      if (!isFailure(result.error)) return;
      dispatch(noticeShown({ tone: 'bad', message: failureMessage(result.error), requestId: result.error.requestId }));
      await dispatch(accountApi.endpoints.user.initiate({ id: user.id }, { forceRefetch: true, subscribe: false }));
    },
    [dispatch, store],
  );
}
