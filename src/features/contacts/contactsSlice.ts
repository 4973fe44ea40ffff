import { createEntityAdapter, createSelector, createSlice } from '@reduxjs/toolkit';
import type { EntityState, PayloadAction } from '@reduxjs/toolkit';
import type { Contact } from '@contract/contacts/schemas';
import { injectSlice } from '@/store/rootReducer';
import type { RootState } from '@/store/rootReducer';
import { contactsApi } from './contactsApi';

type Status = 'idle' | 'loading' | 'ready' | 'failed';
type State = EntityState<Contact, string> & { status: Status; leaving: string[] };
const people = createEntityAdapter<Contact>();
const initialState: State = people.getInitialState({ status: 'idle', leaving: [] });

const { contacts, contact, addContact, replaceContact, changeContact, removeContact, mergeContacts } = contactsApi.endpoints;

export const contactsSlice = createSlice({
  name: 'contacts',
  initialState,
  reducers: {
    /** Hidden immediately, removed on the server when the undo window closes (contactsListeners). */
    removalRequested: (state, { payload: id }: PayloadAction<string>) => {
      if (id in state.entities && !state.leaving.includes(id)) state.leaving.push(id);
    },
    removalUndone: (state, { payload: id }: PayloadAction<string>) => {
      state.leaving = state.leaving.filter((leavingId) => leavingId !== id);
    },
  },
  extraReducers: (b) => {
    b.addMatcher(contacts.matchPending, (state) => {
      if (state.status !== 'ready') state.status = 'loading';
    })
      .addMatcher(contacts.matchFulfilled, (state, { payload }) => {
        state.status = 'ready';
        people.setAll(state, payload);
      })
      .addMatcher(contacts.matchRejected, (state, { meta }) => {
        if (!meta.condition && state.status === 'loading') state.status = 'failed';
      })
      .addMatcher(removeContact.matchFulfilled, (state, { meta }) => {
        const { id } = meta.arg.originalArgs;
        people.removeOne(state, id);
        state.leaving = state.leaving.filter((leavingId) => leavingId !== id);
      });
    b.addMatcher(mergeContacts.matchFulfilled, (state, { meta }) => {
      people.removeOne(state, meta.arg.originalArgs.body.from);
    });
    for (const endpoint of [contact, addContact, replaceContact, changeContact, mergeContacts]) {
      b.addMatcher(endpoint.matchFulfilled, (state, { payload }: { payload: Contact }) => {
        people.setOne(state, payload);
      });
    }
  },
});

export const { removalRequested, removalUndone } = contactsSlice.actions;

declare module '@/store/rootReducer' {
  interface LazySlices {
    contacts: State;
  }
}
injectSlice(contactsSlice);

/** The slice loads with its page: a store that has dispatched no action since does not have it yet. */
const stateOf = (root: RootState): State => root.contacts ?? initialState;
const { selectAll, selectById } = people.getSelectors(stateOf);

export const selectContactsStatus = (root: RootState): Status => stateOf(root).status;
export const selectContact = (root: RootState, id: string): Contact | undefined => selectById(root, id);
export const selectIsLeaving = (root: RootState, id: string): boolean => stateOf(root).leaving.includes(id);
/** Without contacts whose removal can still be undone. */
export const selectContacts = createSelector([selectAll, (root: RootState) => stateOf(root).leaving], (all, leaving) =>
  all.filter(({ id }) => !leaving.includes(id)),
);
