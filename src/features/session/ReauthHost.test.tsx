import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { Provider } from 'react-redux';
import type { Security } from '@contract/account/factors';
import { NoticeHost } from '@/features/notices/NoticeHost';
import { startI18n } from '@/i18n';
import { makeStore } from '@/store';
import { api } from '@/store/api';
import { isFailure } from '@/lib/failure';
import { ConfirmHost } from '@/ui/ConfirmHost';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { security } from '../../../test/support/factories';
import { fakeServer } from '../../../test/support/fakeServer';
import type { Answer } from '../../../test/support/fakeServer';
import { givePasskeys } from '../../../test/support/passkeys';
import { ReauthHost } from './ReauthHost';
import { selectSessionStatus } from './sessionSlice';

const thingApi = api.injectEndpoints({
  endpoints: (b) => ({
    thing: b.query<string, void>({ query: () => '/api/thing' }),
    putThing: b.mutation<string, { name: string }>({ query: (body) => ({ url: '/api/thing', method: 'PUT', body }) }),
    putOther: b.mutation<string, void>({ query: () => ({ url: '/api/other', method: 'PUT', body: {} }) }),
  }),
});

function ThingForm() {
  const [name, setName] = useState('');
  const [put, { data, error }] = thingApi.usePutThingMutation();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void put({ name });
      }}
    >
      <label>
        Name <input value={name} onChange={(event) => setName(event.target.value)} />
      </label>
      <button type="submit">Send</button>
      {data !== undefined && <output>{data}</output>}
      {isFailure(error) && <ErrorPanel failure={error} />}
    </form>
  );
}

const refusal: Answer = { error: 'prove it', status: 403, code: 'reauth_required' };
let server: ReturnType<typeof fakeServer>;
let takeBack: () => void = () => undefined;

async function open({ answers = {}, protection = {} }: { answers?: Record<string, Answer>; protection?: Partial<Security> } = {}) {
  await startI18n('en');
  let proven = false;
  const guarded = (answer: Answer) => () => (proven ? answer : refusal);
  const prove = () => {
    proven = true;
    return { data: null };
  };
  server = fakeServer({
    'GET /api/acc/security': { data: security(protection) },
    'GET /api/thing': guarded({ data: 'read' }),
    'PUT /api/thing': guarded({ data: 'written' }),
    'PUT /api/other': guarded({ data: 'other' }),
    'POST /api/acc/sign/reauth': prove,
    'POST /api/acc/sign/reauth/passkey/options': { data: { challengeId: '0d3b52f5-6a67-4a43-9a4e-0d5e1f7c2b11', options: { challenge: 'AAAA' } } },
    'POST /api/acc/sign/reauth/passkey/verify': prove,
    ...answers,
  });
  const store = makeStore();
  const view = render(
    <Provider store={store}>
      <ConfirmHost>
        <ThingForm />
        <ReauthHost />
        <NoticeHost />
      </ConfirmHost>
    </Provider>,
  );
  return { ...view, store, person: userEvent.setup() };
}
afterEach(() => {
  server.restore();
  takeBack();
  takeBack = () => undefined;
});

const dialogOf = async () => within(await screen.findByRole('dialog', { name: 'Confirm it is you' }));

test('a wrong password shows an error, the right one repeats the call', async () => {
  const { person } = await open();
  await person.type(screen.getByLabelText('Name'), 'half a thought');
  server.answer('POST /api/acc/sign/reauth', { error: 'no', status: 422, code: 'invalid_fields', fields: { password: { code: 'wrong_password' } } });
  const right = () => server.answer('PUT /api/thing', { data: 'written' });
  await person.click(screen.getByRole('button', { name: 'Send' }));
  const password = (await dialogOf()).getByLabelText('Password');
  expect(password).toHaveFocus();
  await person.type(password, 'wrong{Enter}');
  await waitFor(() => expect(password).toHaveAccessibleDescription(expect.stringContaining('The password is not right')));
  expect(server.calls('PUT /api/thing')).toHaveLength(1);
  server.answer('POST /api/acc/sign/reauth', () => {
    right();
    return { data: null };
  });
  await person.type(password, '!{Enter}');
  expect(await screen.findByText('written')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.calls('PUT /api/thing').map((call) => call.body)).toEqual([{ name: 'half a thought' }, { name: 'half a thought' }]);
  expect(server.calls('POST /api/acc/sign/reauth').map((call) => call.body)).toEqual([{ password: 'wrong' }, { password: 'wrong!' }]);
  expect(screen.getByLabelText('Name')).toHaveValue('half a thought');
});

test('calls waiting together share one dialog and each continues once', async () => {
  const { person, store } = await open();
  const calls = [
    store.dispatch(thingApi.endpoints.putThing.initiate({ name: 'a' })),
    store.dispatch(thingApi.endpoints.putOther.initiate()),
    store.dispatch(thingApi.endpoints.thing.initiate()),
  ];
  await person.type((await dialogOf()).getByLabelText('Password'), 'right{Enter}');
  expect((await Promise.all(calls)).map((result) => result.data)).toEqual(['written', 'other', 'read']);
  expect(screen.queryAllByRole('dialog')).toHaveLength(0);
  expect(server.calls('POST /api/acc/sign/reauth')).toHaveLength(1);
  for (const key of ['PUT /api/thing', 'PUT /api/other', 'GET /api/thing']) expect(server.calls(key)).toHaveLength(2);
});

test('cancelling keeps the form, shows a notice and sends nothing', async () => {
  const { person, store } = await open();
  await person.type(screen.getByLabelText('Name'), 'kept');
  await person.click(screen.getByRole('button', { name: 'Send' }));
  const reading = store.dispatch(thingApi.endpoints.thing.initiate());
  await person.click((await dialogOf()).getByRole('button', { name: 'Cancel' }));
  expect(await screen.findByText('Not confirmed, so nothing was done.')).toBeVisible();
  expect(isFailure((await reading).error)).toBe(true);
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.getByLabelText('Name')).toHaveValue('kept');
  expect(server.calls('GET /api/thing')).toHaveLength(1);
  expect(server.calls('PUT /api/thing')).toHaveLength(1);

  // The next attempt asks for a new proof.
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await person.click(screen.getByRole('button', { name: 'Send' }));
  await person.type((await dialogOf()).getByLabelText('Password'), 'right{Enter}');
  expect(await screen.findByText('written')).toBeVisible();
});

test('a call aborted while the dialog was open is not repeated', async () => {
  const { person, store } = await open();
  const reading = store.dispatch(thingApi.endpoints.thing.initiate());
  const dialog = await dialogOf();
  reading.abort();
  await person.type(dialog.getByLabelText('Password'), 'right{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.calls('GET /api/thing')).toHaveLength(1);
});

test('a passkey works, and a refused one keeps session and dialog', async () => {
  takeBack = givePasskeys();
  const { person, store } = await open({
    protection: {
      passkeys: [{ id: 'a4f3a3a0-7d7e-4c0b-9d3b-0b9a4c1d2e3f', name: 'Phone', createdAt: '2026-11-20T08:00:00.000Z', lastUsedAt: null, synced: true }],
    },
  });
  const verify = 'POST /api/acc/sign/reauth/passkey/verify';
  let refuse = true;
  let allowed = false;
  server.answer(verify, () => {
    if (refuse) return { error: 'no', status: 401, code: 'bad_code' };
    allowed = true;
    return { data: null };
  });
  server.answer('PUT /api/thing', () => (allowed ? { data: 'written' } : refusal));
  await person.click(screen.getByRole('button', { name: 'Send' }));
  const dialog = await dialogOf();
  await person.click(await dialog.findByRole('button', { name: 'Use a passkey' }));
  expect(await dialog.findByRole('alert')).toHaveTextContent('This passkey was not accepted. Enter your password.');
  expect(selectSessionStatus(store.getState())).not.toBe('expired');
  refuse = false;
  await person.click(dialog.getByRole('button', { name: 'Use a passkey' }));
  expect(await screen.findByText('written')).toBeVisible();
  expect(server.calls(verify)[1]?.body).toMatchObject({
    challengeId: '0d3b52f5-6a67-4a43-9a4e-0d5e1f7c2b11',
    response: { id: 'credential', type: 'public-key' },
  });
});

test('without a passkey a message appears and the password still works', async () => {
  takeBack = givePasskeys({ get: () => Promise.reject(new DOMException('no', 'NotAllowedError')) });
  const { person } = await open({
    protection: {
      passkeys: [{ id: 'a4f3a3a0-7d7e-4c0b-9d3b-0b9a4c1d2e3f', name: 'Phone', createdAt: '2026-11-20T08:00:00.000Z', lastUsedAt: null, synced: true }],
    },
  });
  await person.click(screen.getByRole('button', { name: 'Send' }));
  const dialog = await dialogOf();
  await person.click(await dialog.findByRole('button', { name: 'Use a passkey' }));
  expect(await dialog.findByRole('alert')).toHaveTextContent('No passkey was used');
  await person.type(dialog.getByLabelText('Password'), 'right{Enter}');
  expect(await screen.findByText('written')).toBeVisible();
});
