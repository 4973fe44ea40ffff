import { failureWords, noticeDismissed, noticeShown } from '@/features/notices/noticesSlice';
import { signedOut, sessionExpired } from '@/store/events';
import { isFailure } from '@/store/failure';
import type { StartListening } from '@/store/listeners';
import { contactsApi } from './contactsApi';
import { removalRequested, removalUndone, selectContact } from './contactsSlice';

/** How long a removal can be taken back. */
export const undoWindowMs = 6000;

/** Removing a contact: hidden at once, sent when the window closes, back again when undone or refused. */
export function listenToContacts(start: StartListening): void {
  start({
    actionCreator: removalRequested,
    effect: async ({ payload: id }, { dispatch, getState, getOriginalState, take }) => {
      const contact = selectContact(getOriginalState(), id);
      if (!contact) return;
      const noticeId = `contact-removal-${id}`;
      dispatch(
        noticeShown({
          id: noticeId,
          words: { key: 'shell:removed', values: { name: contact.name } },
          action: { words: { key: 'shell:undo' }, does: removalUndone(id) },
          for: undoWindowMs,
        }),
      );
      const stop = await take(
        (action) => (removalUndone.match(action) && action.payload === id) || signedOut.match(action) || sessionExpired.match(action),
        undoWindowMs,
      );
      dispatch(noticeDismissed(noticeId));
      if (stop || !getState().contacts.leaving.includes(id)) return;
      const result = await dispatch(contactsApi.endpoints.removeContact.initiate({ id }));
      if (isFailure(result.error)) {
        dispatch(removalUndone(id));
        dispatch(noticeShown({ tone: 'bad', words: failureWords(result.error), requestId: result.error.requestId }));
      }
    },
  });
}
