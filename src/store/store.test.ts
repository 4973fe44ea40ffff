import { contact, secondSite, session, site, startUp, user } from '../../test/support/factories';
import { fakeServer } from '../../test/support/fakeServer';
import type { Answer } from '../../test/support/fakeServer';
import { accountApi } from '@/features/account/accountApi';
import { contactsApi } from '@/features/contacts/contactsApi';
import { removalListener } from '@/features/contacts/contactsListeners';
import { removalRequested, removalUndone, selectContact, selectContacts } from '@/features/contacts/contactsSlice';
import { selectUser } from '@/features/account/userSlice';
import { selectLanguages } from '@/features/languages/languagesSlice';
import { selectNotices } from '@/features/notices/noticesSlice';
import { sessionApi } from '@/features/session/sessionApi';
import { selectSessionStatus } from '@/features/session/sessionSlice';
import { sitesApi } from '@/features/sites/sitesApi';
import { added, removed, replacedById, selectSite, selectSites } from '@/features/sites/sitesSlice';
import { hasSessionEnded, onGoToSignIn } from '@/lib/signInAddress';
import { keepDraft, readDraft } from '@/lib/drafts';
import { startUpReplaced } from './events';
import { checkResponses } from './contractChecks';
import { makeStore } from './index';

checkResponses();

let server: ReturnType<typeof fakeServer>;
let left: string[];
let restore: () => void;

function start(answers: Record<string, Answer> = {}) {
  server = fakeServer({
    'GET /api/acc/token/session': { data: session() },
    'GET /api/core/load/rpm': { data: startUp() },
    'GET /api/acc/contacts': { data: [contact()] },
    [`GET /api/acc/user/${user().id}`]: { data: user() },
    ...answers,
  });
  left = [];
  restore = onGoToSignIn((address) => left.push(address));
  return makeStore();
}

afterEach(() => {
  server.restore();
  restore();
  jest.useRealTimers();
});

const signIn = (store: ReturnType<typeof makeStore>) => store.dispatch(sessionApi.endpoints.session.initiate());

describe('the start-up data', () => {
  test('fills sites and languages, which can be updated without a request', async () => {
    const store = start();
    await store.dispatch(sitesApi.endpoints.load.initiate());
    expect(selectSites(store.getState()).map((one) => one.id)).toEqual([site().id, secondSite().id]);
    expect(selectLanguages(store.getState())).toHaveLength(1);
    store.dispatch(startUpReplaced({ sites: [secondSite()], intls: [] }));
    expect(selectSites(store.getState())).toEqual([secondSite()]);
    expect(selectLanguages(store.getState())).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });

  test('adds or replaces a site and ignores unknown ones', () => {
    const store = start();
    store.dispatch(added(site()));
    store.dispatch(replacedById(site({ name: 'Tea Room' })));
    store.dispatch(replacedById(secondSite()));
    expect(selectSites(store.getState())).toEqual([site({ name: 'Tea Room' })]);
    store.dispatch(removed(site().id));
    expect(selectSites(store.getState())).toEqual([]);
  });

  test('keeps the old list when a refresh fails', async () => {
    const store = start();
    await store.dispatch(sitesApi.endpoints.load.initiate());
    server.answer('GET /api/core/load/rpm', { error: 'broken', status: 500, code: 'internal' });
    await store.dispatch(sitesApi.endpoints.load.initiate(undefined, { forceRefetch: true }));
    expect(store.getState().sites.load).toMatchObject({ status: 'ready', refreshing: false, failure: { status: 500 } });
    expect(selectSites(store.getState())).toHaveLength(2);
  });

  test('a pin shows at once and is reverted when refused', async () => {
    const store = start({ [`PUT /api/core/sites/${site().id}/pin`]: { error: 'no', status: 500 } });
    await store.dispatch(sitesApi.endpoints.load.initiate());
    const request = store.dispatch(sitesApi.endpoints.pinSite.initiate({ siteId: site().id, body: { pinned: true } }));
    expect(selectSite(store.getState(), site().id)?.pinned).toBe(true);
    await request;
    expect(selectSite(store.getState(), site().id)?.pinned).toBe(false);
  });

  test('a response that breaks the contract fails its request', async () => {
    const warn = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const store = start({ 'GET /api/core/load/rpm': { data: { sites: [{ id: 7 }], intls: [] } } });
    const result = await store.dispatch(sitesApi.endpoints.load.initiate());
    expect(result.isError).toBe(true);
    warn.mockRestore();
  });
});

describe('the session', () => {
  test('a missing one redirects to sign-in with the full address', async () => {
    const store = start({ 'GET /api/acc/token/session': { data: null } });
    history.replaceState(null, '', '/site/x/als?from=1#top');
    await signIn(store);
    history.replaceState(null, '', '/home');
    expect(left).toEqual(['/sign/?redirect=%2Fsite%2Fx%2Fals%3Ffrom%3D1%23top']);
    expect(hasSessionEnded()).toBe(false);
  });

  test('an expired one is reported once, however many calls fail', async () => {
    const store = start();
    await signIn(store);
    for (const key of ['GET /api/core/load/rpm', 'GET /api/acc/contacts']) server.answer(key, { error: 'sign in', status: 401, code: 'unauthorized' });
    await Promise.all([store.dispatch(sitesApi.endpoints.load.initiate()), store.dispatch(contactsApi.endpoints.contacts.initiate())]);
    expect(selectSessionStatus(store.getState())).toBe('expired');
    expect(left).toHaveLength(1);
    // The sign page explains it; the address has only the return address.
    expect(hasSessionEnded()).toBe(true);
    expect(left[0]).toMatch(/^\/sign\/\?redirect=[^&]*$/);
  });

  test('survives a refresh that fails on the network', async () => {
    const store = start();
    await signIn(store);
    server.answer('GET /api/acc/token/session', { error: 'broken', status: 500 });
    await store.dispatch(sessionApi.endpoints.session.initiate(undefined, { forceRefetch: true }));
    expect(selectSessionStatus(store.getState())).toBe('present');
  });

  test('signing out clears all data of the person', async () => {
    const store = start({ 'POST /api/acc/token/sign-out': { data: null } });
    await signIn(store);
    await store.dispatch(sitesApi.endpoints.load.initiate());
    await store.dispatch(accountApi.endpoints.user.initiate({ id: user().id }));
    keepDraft(user().id, 'form', { name: 'half' });
    await store.dispatch(sessionApi.endpoints.signOut.initiate());
    const state = store.getState();
    expect(selectSites(state)).toEqual([]);
    expect(selectUser(state)).toBeNull();
    expect(selectSessionStatus(state)).toBe('none');
    expect(Object.values(state.api.queries)).toEqual([]);
    expect(readDraft(user().id, 'form')).toBeUndefined();
    expect(left).toHaveLength(1);
  });

  test('of another person clears the data of the previous one', async () => {
    const store = start();
    await signIn(store);
    await store.dispatch(sitesApi.endpoints.load.initiate());
    await store.dispatch(contactsApi.endpoints.contacts.initiate());
    server.answer('GET /api/acc/token/session', { data: session({ userId: '0192b7a0-0000-7000-8000-0000000000ff' }) });
    await store.dispatch(sessionApi.endpoints.session.initiate(undefined, { forceRefetch: true }));
    const state = store.getState();
    expect([selectSites(state), selectContacts(state), Object.values(state.api.queries)]).toEqual([[], [], []]);
    expect(selectSessionStatus(state)).toBe('present');
    expect(left).toEqual([]);
  });
});

describe('people', () => {
  test('the profile follows the user, changes and renames', async () => {
    const store = start({ 'POST /api/acc/sign/rename': { data: user({ loginName: 'xiao', revision: 2 }) } });
    await signIn(store);
    await store.dispatch(accountApi.endpoints.user.initiate({ id: user().id }));
    expect(selectUser(store.getState())?.loginName).toBe('chenxiao');
    await store.dispatch(accountApi.endpoints.rename.initiate({ body: { loginName: 'xiao' } }));
    expect(selectUser(store.getState())?.loginName).toBe('xiao');
  });

  test('PUT and PATCH of a contact send the revision and update state', async () => {
    const id = contact().id;
    const store = start({
      [`PUT /api/acc/contacts/${id}`]: { data: contact({ name: 'A', revision: 2 }) },
      [`PATCH /api/acc/contacts/${id}`]: { data: contact({ name: 'B', revision: 3 }) },
    });
    await store.dispatch(contactsApi.endpoints.replaceContact.initiate({ id, revision: 1, body: { name: 'A' } }));
    expect(selectContact(store.getState(), id)?.name).toBe('A');
    await store.dispatch(contactsApi.endpoints.changeContact.initiate({ id, revision: 2, body: { name: 'B' } }));
    expect(selectContact(store.getState(), id)?.name).toBe('B');
    expect(server.requests.map((one) => one.headers.get('if-match'))).toEqual(['"1"', '"2"']);
  });

  test('a removal can be undone while its notice is shown', async () => {
    const store = start();
    // Every visit of the page adds the listener; it runs once.
    store.dispatch(removalListener);
    store.dispatch(removalListener);
    await store.dispatch(contactsApi.endpoints.contacts.initiate());
    store.dispatch(removalRequested(contact().id));
    expect(selectContacts(store.getState())).toEqual([]);
    expect(selectNotices(store.getState())).toHaveLength(1);
    store.dispatch(removalUndone(contact().id));
    expect(selectContacts(store.getState())).toHaveLength(1);
    expect(server.calls(`DELETE /api/acc/contacts/${contact().id}`)).toHaveLength(0);
  });
});
