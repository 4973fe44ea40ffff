import { session, site, startUp } from '../../test/support/factories';
import { fakeServer } from '../../test/support/fakeServer';
import { securityApi } from '@/features/account/securityApi';
import { sessionApi } from '@/features/session/sessionApi';
import { sitesApi } from '@/features/sites/sitesApi';
import { replacedById } from '@/features/sites/sitesSlice';
import { onGoToSignIn } from '@/lib/signInAddress';
import type { UnknownAction } from '@reduxjs/toolkit';
import { signedOut } from './events';
import { actionSanitizer, denylist, stateSanitizer } from './devtools';
import { rootReducer } from './rootReducer';
import { makeStore } from './index';

const record = async () => {
  const server = fakeServer({
    'GET /api/acc/token/session': { data: session() },
    'GET /api/core/load/rpm': { data: startUp() },
    'POST /api/acc/sign/password': { error: 'wrong', status: 422, code: 'invalid_fields', requestId: 'req-9' },
  });
  const restore = onGoToSignIn(() => undefined);
  const store = makeStore();
  const actions: UnknownAction[] = [];
  // Records what reaches the reducers, as DevTools does.
  const before = store.getState();
  const dispatch = store.dispatch;
  const reducer = (state: typeof before | undefined, action: UnknownAction) => {
    actions.push(action);
    return rootReducer(state, action);
  };
  store.replaceReducer(reducer);
  await dispatch(sessionApi.endpoints.session.initiate());
  await dispatch(sitesApi.endpoints.load.initiate());
  await dispatch(securityApi.endpoints.changePassword.initiate({ body: { current: 'old secret words', next: 'new secret words' } }));
  dispatch(replacedById(site({ name: 'Renamed' })));
  dispatch(signedOut());
  return { store, actions, before, server, end: () => (server.restore(), restore()) };
};

test('an API action shows its endpoint name and request id', async () => {
  const { actions, end } = await record();
  const sanitizedActions = actions.map(actionSanitizer) as (UnknownAction & { requestId?: string | null; status?: number | null })[];
  expect(sanitizedActions.find((one) => one.type === 'api · load · fulfilled')).toMatchObject({ requestId: 'req-1', status: 200 });
  expect(sanitizedActions.find((one) => one.type === 'api · changePassword · rejected')).toMatchObject({ requestId: 'req-9', status: 422 });
  expect(sanitizedActions.filter((one) => one.type.startsWith('api/execute'))).toEqual([]);
  end();
});

test('actions and state show no password or token', async () => {
  const { actions, store, end } = await record();
  expect(JSON.stringify(actions.map(actionSanitizer))).not.toContain('secret words');
  expect(JSON.stringify(stateSanitizer(store.getState()))).not.toContain('secret words');
  end();
});

test('no key, recovery code, token or one-time link is shown', () => {
  const answer = (endpointName: string, payload: unknown) =>
    actionSanitizer({ type: 'api/executeMutation/fulfilled', payload, meta: { arg: { endpointName } } });
  const sanitizedPayloads = [
    answer('newRecoveryCodes', ['ABCD-EFGH']),
    answer('beginTotp', { uri: 'otpauth://ABCD-EFGH', qr: 'data:ABCD-EFGH' }),
    answer('personLink', { url: 'https://x/sign/reset#t=ABCD-EFGH' }),
    stateSanitizer({ api: { mutations: { one: { endpointName: 'confirmTotp', data: { recoveryCodes: ['ABCD-EFGH'] } } } } }),
  ];
  expect(JSON.stringify(sanitizedPayloads)).not.toContain('ABCD-EFGH');
  expect(JSON.stringify(answer('changeUser', { loginName: 'shown' }))).toContain('shown');
});

test("internal actions of libraries are hidden, the console's own are not", () => {
  const hidden = (type: string) => denylist.some((pattern) => new RegExp(pattern).test(type));
  expect(hidden('__rtkq/focused')).toBe(true);
  expect(hidden('api/internalSubscriptions/subscriptionsUpdated')).toBe(true);
  expect(hidden('sites/replacedById')).toBe(false);
  expect(hidden('api/executeQuery/fulfilled')).toBe(false);
});

test('replaying the recorded actions gives every state again without side effects', async () => {
  const { actions, before, server, end } = await record();
  const requestCount = server.requests.length;
  const left: string[] = [];
  const restore = onGoToSignIn((address) => left.push(address));
  const once = actions.map(
    (
      (state) => (action: UnknownAction) =>
        (state = rootReducer(state, action))
    )(before),
  );
  const twice = actions.map(
    (
      (state) => (action: UnknownAction) =>
        (state = rootReducer(state, action))
    )(before),
  );
  expect(twice).toEqual(once);
  expect(server.requests).toHaveLength(requestCount);
  expect(left).toEqual([]);
  // Serialisable: DevTools can export the session and import it elsewhere.
  expect(JSON.parse(JSON.stringify(once.at(-1)))).toEqual(once.at(-1));
  restore();
  end();
});
