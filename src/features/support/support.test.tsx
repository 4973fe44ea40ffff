import { jest } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import type { Site } from '@contract/sites/schemas';
import type { Conversation } from '@contract/support/conversations';
import { replacedById } from '@/features/sites/sitesSlice';
import { violationsOf } from '../../../test/support/axe';
import { checkResponses } from '../../../test/support/checkedResponses';
import { site, startUp, user } from '../../../test/support/factories';
import type { Answer } from '../../../test/support/fakeServer';
import { conversation, supportId, supportMessage, supportOverview, supportPath, supportVisitor } from '../../../test/support/supportScreen';
import { renderApp } from '../../../test/support/renderApp';

import { raiseAlert } from './useAlerts';

jest.mock('@/lib/whenUsable', () => ({
  whenUsable: (task: () => void) => {
    task();
    return () => undefined;
  },
}));

checkResponses();

let app: Awaited<ReturnType<typeof renderApp>>;
afterEach(() => {
  app.end();
  localStorage.clear();
});

const mei = conversation();
const noor = conversation({
  id: supportId(102),
  number: 13,
  visitor: { id: supportId(502), name: '', email: '', country: '', online: false },
  unread: 0,
  lastMessageAt: '2026-11-20T07:00:00.000Z',
  lastMessage: { author: 'agent', kind: 'text', text: 'Shipped' },
});
const openConversation = `?conversation=${mei.id}`;
const canned = [
  {
    id: supportId(1),
    shortcut: 'ship',
    title: 'Shipping',
    body: 'Dear {{visitor.name}}, we ship on Monday.',
    scope: 'site',
    uses: 3,
    lastUsedAt: null,
    revision: 1,
  },
];

async function open(
  query = '',
  answers: Record<string, Answer> = {},
  role: 'admin' | 'viewer' | 'analyst' = 'admin',
  rows: readonly Conversation[] = [mei, noor],
) {
  app = await renderApp(`/site/${site().id}/cs${query}`, {
    answers: {
      'GET /api/core/load/rpm': { data: startUp({ sites: [site({ role })] }) },
      [`GET ${supportPath}`]: { data: supportOverview() },
      [`GET ${supportPath}/conversations`]: { data: { rows, next: null, searched: null } },
      ...Object.fromEntries(rows.map((row) => [`GET ${supportPath}/conversations/${row.id}`, { data: row }])),
      [`GET ${supportPath}/conversations/${mei.id}/messages`]: { data: { rows: [supportMessage()], version: 1, more: false } },
      [`GET ${supportPath}/conversations/${mei.id}/visitor`]: { data: supportVisitor() },
      [`GET ${supportPath}/canned`]: { data: canned },
      [`POST ${supportPath}/presence`]: { data: supportOverview().agents },
      [`POST ${supportPath}/conversations/${mei.id}/read`]: { data: { unread: 0 } },
      ...answers,
    },
  });
  await screen.findByRole('heading', { level: 1, name: 'Customer service' });
  return app;
}

test('a list leads to a conversation with its visitor', async () => {
  const { person, container, router } = await open();
  expect(await screen.findByRole('link', { name: /Visitor #13/ })).toHaveTextContent('Reply: Shipped');
  await person.keyboard('j');
  expect(router.state.location.search).toBe(openConversation);
  expect(await screen.findByRole('log', { name: 'Conversation with Mei' })).toHaveTextContent('Do you ship to Oslo?');
  const visitor = screen.getByRole('complementary', { name: 'Visitor' });
  expect(await within(visitor).findByRole('link', { name: 'Open in the crawler' })).toHaveAttribute(
    'href',
    `/developer/crawler/site/${site().id}?tab=pages&q=%2Fgreen`,
  );
  expect(within(visitor).getByRole('region', { name: 'Pages visited' })).toHaveTextContent('31 s');
  expect(within(visitor).getByRole('link', { name: /Where is my order/ })).toBeVisible();
  expect(await violationsOf(container)).toEqual([]);
});

test('a canned reply is found by its shortcut, filled in and sent', async () => {
  const stored = supportMessage({ seq: 2, version: 2, author: 'agent', body: 'Dear Mei, we ship on Monday.', agent: { id: user().id, name: 'Lin' } });
  const send = `POST ${supportPath}/conversations/${mei.id}/messages`;
  const { person, server } = await open(openConversation, { [send]: { data: stored } });
  await screen.findByText('Do you ship to Oslo?', { selector: 'p' });
  await person.keyboard('r');
  const box = await screen.findByRole('textbox', { name: 'Reply to the visitor' });
  await waitFor(() => expect(screen.getByRole('button', { name: 'Canned replies' })).toBeVisible());
  await person.type(box, '/sh');
  expect(screen.getByRole('option', { name: /Shipping/ })).toHaveAttribute('aria-selected', 'true');
  await person.keyboard('{Enter}');
  expect(box).toHaveValue('Dear Mei, we ship on Monday.');
  await person.keyboard('{Enter}');
  await waitFor(() => expect(server.calls(send)).toHaveLength(1));
  expect(server.calls(send)[0]?.body).toMatchObject({ kind: 'text', body: 'Dear Mei, we ship on Monday.', cannedId: supportId(1) });
  expect(await within(screen.getByRole('log')).findByText('Dear Mei, we ship on Monday.')).toBeVisible();
  expect(box).toHaveValue('');
});

test('a refused message says why and can be sent again', async () => {
  const send = `POST ${supportPath}/conversations/${mei.id}/messages`;
  const { person, server } = await open(openConversation, { [send]: { error: 'The conversation is full', status: 409, code: 'conflict' } });
  await person.type(await screen.findByRole('textbox', { name: 'Reply to the visitor' }), 'Yes{Enter}');
  expect(await screen.findByText('Not sent: The conversation is full')).toBeVisible();
  server.answer(send, { data: supportMessage({ seq: 2, version: 2, author: 'agent', body: 'Yes', agent: { id: user().id, name: 'Lin' } }) });
  await person.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.queryByText(/Not sent/)).not.toBeInTheDocument());
  const ids = server.calls(send).map(({ body }) => (body as { readonly clientId: string }).clientId);
  expect(ids).toEqual([ids[0], ids[0]]);
});

test('others who answer are named, and resolving can be undone', async () => {
  const change = `PATCH ${supportPath}/conversations/${mei.id}`;
  const agents = supportOverview().agents.map((agent) => (agent.id === supportId(77) ? { ...agent, viewing: mei.id, typing: true } : agent));
  const { person, server } = await open(openConversation, {
    [`GET ${supportPath}`]: { data: supportOverview({ agents }) },
    [`POST ${supportPath}/presence`]: { data: agents },
    [change]: { data: { ...mei, state: 'resolved', version: 2 } },
  });
  expect(await screen.findByText('Ada is answering too')).toBeVisible();
  await screen.findByText('Do you ship to Oslo?', { selector: 'p' });
  await person.click(screen.getByRole('button', { name: 'Resolve' }));
  await person.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(server.calls(change).map(({ body }) => body)).toEqual([{ state: 'resolved', readSeq: 1 }, { state: 'open' }]));
});

test('several conversations get one action', async () => {
  const bulk = `POST ${supportPath}/bulk`;
  const { person, server } = await open('', { [bulk]: { data: { changed: [mei.id, noor.id], unseen: [] } } });
  await person.click(await screen.findByRole('checkbox', { name: 'Select Mei' }));
  await person.click(screen.getByRole('checkbox', { name: 'Select Visitor #13' }));
  await person.click(within(screen.getByRole('toolbar')).getByRole('button', { name: 'Mark as spam' }));
  expect(await screen.findByText('2 conversations marked as spam')).toBeVisible();
  expect(server.calls(bulk)[0]?.body).toEqual({ ids: [mei.id, noor.id], action: 'spam' });
});

test('conversations that stay open are named', async () => {
  const bulk = `POST ${supportPath}/bulk`;
  const { person, server } = await open('', { [bulk]: { data: { changed: [mei.id], unseen: [{ id: noor.id, number: 13 }] } } });
  await person.click(await screen.findByRole('checkbox', { name: 'Select Mei' }));
  await person.click(screen.getByRole('checkbox', { name: 'Select Visitor #13' }));
  await person.click(within(screen.getByRole('toolbar')).getByRole('button', { name: 'Resolve' }));
  expect(await screen.findByText(/#13 stays open/)).toBeVisible();
  expect(server.calls(bulk)[0]?.body).toMatchObject({ action: 'resolve', readSeqs: { [mei.id]: 1, [noor.id]: 1 } });
});

test('readers without the right to answer read only', async () => {
  await open(openConversation, {}, 'analyst');
  expect(await screen.findByText(/You can only read/)).toBeVisible();
  expect(screen.queryByRole('textbox', { name: 'Reply to the visitor' })).not.toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Resolve' })).not.toBeInTheDocument();
});

test('before the first conversation the screen teaches how to begin', async () => {
  const counts = { mine: 0, unassigned: 0, all: 0, forms: 0, snoozed: 0, resolved: 0, spam: 0 };
  const { container } = await open('', { [`GET ${supportPath}`]: { data: supportOverview({ counts }) } }, 'admin', []);
  expect(await screen.findByText('Waiting for the first visitor')).toBeVisible();
  expect(screen.getByText(/widget\.js/)).toBeVisible();
  expect(await violationsOf(container)).toEqual([]);
});

test('messages stand in their order from the first answer on', async () => {
  const rows = [supportMessage({ seq: 2, version: 2, body: 'And to Bergen?' }), supportMessage()];
  await open(openConversation, { [`GET ${supportPath}/conversations/${mei.id}/messages`]: { data: { rows, version: 2, more: false } } });
  expect(
    (await screen.findByText('And to Bergen?', { selector: 'p' })).compareDocumentPosition(screen.getByText('Do you ship to Oslo?', { selector: 'p' })),
  ).toBe(Node.DOCUMENT_POSITION_PRECEDING);
});

test('the focus stays at a message that was edited', async () => {
  const own = supportMessage({ author: 'agent', body: 'Yes', at: new Date().toISOString(), agent: { id: user().id, name: 'Lin' } });
  const { person } = await open(openConversation, {
    [`GET ${supportPath}/conversations/${mei.id}/messages`]: { data: { rows: [own], version: 1, more: false } },
    [`PATCH ${supportPath}/conversations/${mei.id}/messages/1`]: { data: { ...own, body: 'Yes!', version: 2 } },
  });
  const edit = () => screen.findByRole('button', { name: 'Edit' });
  await person.click(await edit());
  await person.type(screen.getByRole('textbox', { name: 'Edit' }), '!');
  await person.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(async () => expect(await edit()).toHaveFocus());
});

test('conversations are watched only where there are any, by those who may read them', async () => {
  app = await renderApp(`/site/${site().id}/dashboard`, { answers: { [`GET ${supportPath}`]: { data: supportOverview({ unread: 3 }) } } });
  await screen.findByRole('heading', { level: 1, name: 'Dashboard' });
  await waitFor(() => expect(app.store.getState().sites.load.status).toBe('ready'));
  const change = (values: Partial<Site>) => act(async () => void app.store.dispatch(replacedById(site(values))));
  await change({ role: 'viewer', support: true });
  await change({ role: 'admin', support: false });
  await act(() => import('./SupportWatch'));
  expect(app.server.calls(`GET ${supportPath}`)).toEqual([]);
  await change({ role: 'admin', support: true });
  await waitFor(() => expect(app.server.calls(`GET ${supportPath}`)).toHaveLength(1));
  await waitFor(() => expect(document.documentElement.dataset['supportUnread']).toBe(''));
});

test('one of several tabs sounds a message', async () => {
  localStorage.setItem('console:supportSound', 'on');
  const param = () => ({ value: 0, setValueAtTime: () => undefined, exponentialRampToValueAtTime: () => undefined });
  const node = () => ({ frequency: param(), gain: param(), connect: (to: unknown) => to, start: () => undefined, stop: () => undefined });
  const sound = jest.fn(() => ({ currentTime: 0, destination: {}, createOscillator: node, createGain: node, close: () => Promise.resolve() }));
  Object.assign(globalThis, { AudioContext: sound });
  const alert = { id: '101 now', title: 'Mei', body: 'Hello', tag: 'support-101', onOpen: () => undefined };
  await Promise.all([raiseAlert(alert), raiseAlert(alert)]);
  await raiseAlert({ ...alert, id: '101 later' });
  expect(sound).toHaveBeenCalledTimes(2);
});
