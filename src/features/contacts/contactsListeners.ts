import { addListener } from '@reduxjs/toolkit';
import type { TypedAddListener } from '@reduxjs/toolkit';
import { failureMessage, noticeDismissed, noticeShown } from '@/features/notices/noticesSlice';
import type { AppDispatch, RootState } from '@/store';
import { signedOut, sessionExpired } from '@/store/events';
import { isFailure } from '@/lib/failure';
import { contactsApi } from './contactsApi';
import { removalRequested, removalUndone, selectContact, selectIsLeaving } from './contactsSlice';

/** How long a removal can be undone, in milliseconds. */
export const undoWindowMs = 6000;

const addAppListener = addListener as TypedAddListener<RootState, AppDispatch>;

/**
 * Removes a contact: hidden immediately, sent when the undo window closes, restored if undone or refused. A store registers it once, however often it
 * is added.
 */
export const removalListener = addAppListener({
  actionCreator: removalRequested,
  effect: async ({ payload: id }, { dispatch, getState, getOriginalState, take }) => {
    const contact = selectContact(getOriginalState(), id);
    if (!contact) return;
    const noticeId = `contact-removal-${id}`;
    dispatch(
      noticeShown({
        id: noticeId,
        message: { key: 'shell:removed', values: { name: contact.name } },
        action: { message: { key: 'shell:undo' }, does: removalUndone(id) },
        for: undoWindowMs,
      }),
    );
    const interrupted = await take(
      (action) => (removalUndone.match(action) && action.payload === id) || signedOut.match(action) || sessionExpired.match(action),
      undoWindowMs,
    );
    dispatch(noticeDismissed(noticeId));
    if (interrupted || !selectIsLeaving(getState(), id)) return;
    const result = await dispatch(contactsApi.endpoints.removeContact.initiate({ id }));
    if (isFailure(result.error)) {
      dispatch(removalUndone(id));
      dispatch(noticeShown({ tone: 'bad', message: failureMessage(result.error), requestId: result.error.requestId }));
    }
  },
});
