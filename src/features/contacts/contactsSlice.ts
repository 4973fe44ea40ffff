import { createEntityAdapter, createSelector, createSlice } from '@reduxjs/toolkit';
import type { EntityState, PayloadAction } from '@reduxjs/toolkit';
import type { Contact } from '@contract/contacts/schemas';
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
    /** Hidden at once, removed on the server when the undo window closes (contactsListeners). */
    removalRequested: (state, { payload: id }: PayloadAction<string>) => {
      if (id in state.entities && !state.leaving.includes(id)) state.leaving.push(id);
    },
    removalUndone: (state, { payload: id }: PayloadAction<string>) => {
      state.leaving = state.leaving.filter((one) => one !== id);
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
        state.leaving = state.leaving.filter((one) => one !== id);
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
  selectors: { selectContactsStatus: (state) => state.status },
});

export const { removalRequested, removalUndone } = contactsSlice.actions;
export const { selectContactsStatus } = contactsSlice.selectors;

type Root = { contacts: State };
export const selectContact = (root: Root, id: string): Contact | undefined => root.contacts.entities[id];
/** Without those whose removal can still be undone. */
export const selectContacts = createSelector(
  [people.getSelectors((root: Root) => root.contacts).selectAll, (root: Root) => root.contacts.leaving],
  (all, leaving) => all.filter((one) => !leaving.includes(one.id)),
);
