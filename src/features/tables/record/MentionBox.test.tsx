import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { RecordReader } from '@contract/tables/comments';
import type { RecordComment } from '@contract/tables/records';
import { clearDrafts } from '@/lib/clearDrafts';
import { checkResponses } from '../../../../test/support/checkedResponses';
import { site } from '../../../../test/support/factories';
import { recordId, recordOf, tableOf } from '../../../../test/support/recordsScreen';
import { renderApp } from '../../../../test/support/renderApp';

checkResponses();

jest.setTimeout(60_000);
const base = `/api/site/${site().id}/table`;
const of = `${base}/tables/t_articleaaaaa`;
const record = recordOf(1, { f_titleaaaaaaa: 'Spring tea' });
const labels = { records: {}, people: {} };
const person = (n: number, name: string): RecordReader => ({ id: recordId(n), name, avatar: null });
const people = [person(71, 'Anna Lee'), person(72, 'Zhou Mo'), person(73, '林小满')];
const comments = `${of}/records/${record.id}/comments`;
const readers = `GET ${of}/records/${record.id}/readers`;

let app: Awaited<ReturnType<typeof renderApp>>;
let box: HTMLTextAreaElement;
let stored: RecordComment[];
beforeEach(async () => {
  stored = [];
  app = await renderApp(`/site/${site().id}/table/records?record=${record.id}&part=comments`, {
    messages: ['form', 'tableRecord'],
    locale: 'en',
    answers: {
      [`GET ${base}/tables`]: { data: [tableOf()] },
      [`GET ${of}/views`]: { data: [] },
      [`GET ${of}/records`]: { data: { rows: [record], labels, next: null, total: 1, more: false, cost: { ms: 1, slow: false } } },
      [`GET ${of}/records/${record.id}`]: { data: { ...record, labels } },
      [`GET ${comments}`]: () => ({ data: stored }),
      [readers]: { data: people },
      [`POST ${of}/presence`]: { data: null },
      [`POST ${comments}`]: async (request) => {
        const { text } = (await request.clone().json()) as { text: string };
        const mentions = people.filter(({ id }) => text.includes(id)).map(({ id, name }) => ({ id, name }));
        stored = [{ id: recordId(60), text, mentions, revision: 1, by: 'Lin', own: true, at: '2026-11-20T08:00:00.000Z', resolvedAt: null }];
        return { data: stored[0] };
      },
    },
  });
  box = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Write a comment' });
});
afterEach(() => {
  app.end();
  clearDrafts();
});

const activeName = () => document.getElementById(box.getAttribute('aria-activedescendant') ?? '')?.textContent ?? null;

test('a person is chosen by keyboard, stored as an id and shown by name', async () => {
  await app.person.type(box, 'Ask @');
  expect(await screen.findByRole('listbox', { name: 'Mention a person' })).toBeVisible();
  expect(screen.getAllByRole('option')).toHaveLength(3);
  expect(activeName()).toMatch(/Anna Lee$/);
  await app.person.keyboard('{ArrowDown}');
  expect(activeName()).toMatch(/Zhou Mo$/);
  await app.person.keyboard('{ArrowUp}{ArrowUp}');
  expect(activeName()).toMatch(/林小满$/);
  await app.person.keyboard('{Enter}');
  expect(box).toHaveValue('Ask @林小满 ');
  expect(screen.queryByRole('listbox')).toBeNull();
  await app.person.keyboard('please');
  await app.person.click(screen.getByRole('button', { name: 'Comment' }));
  const item = (await screen.findByText('@林小满')).closest('li') as HTMLElement;
  expect(within(item).getByText(/^Ask/)).toHaveTextContent('Ask @林小满 please');
  expect(stored[0]?.text).toBe(`Ask @[${recordId(73)}] please`);
  expect(box).toHaveValue('');
});

test('a draft left by accident keeps its mentions', async () => {
  await app.person.type(box, '@lxm');
  await screen.findByRole('listbox');
  await app.person.keyboard('{Enter}');
  await app.person.click(screen.getByRole('tab', { name: 'JSON' }));
  await app.person.click(screen.getByRole('tab', { name: 'Comments' }));
  expect(await screen.findByRole('textbox', { name: 'Write a comment' })).toHaveValue('@林小满 ');
  await app.person.click(screen.getByRole('button', { name: 'Comment' }));
  await waitFor(() => expect(stored[0]?.text).toBe(`@[${recordId(73)}]`));
});

test('typing filters by name and by pinyin initials', async () => {
  await app.person.type(box, '@lxm');
  await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(1));
  expect(activeName()).toMatch(/林小满$/);
  await app.person.keyboard('{Tab}');
  expect(box).toHaveValue('@林小满 ');
  expect(box).toHaveFocus();
});

test('Escape closes the list only, and a press chooses', async () => {
  await app.person.type(box, '@z');
  await screen.findByRole('listbox');
  await app.person.keyboard('{Escape}');
  expect(screen.queryByRole('listbox')).toBeNull();
  await app.person.keyboard('h');
  expect(screen.queryByRole('listbox')).toBeNull();
  expect(screen.getByRole('dialog')).toBeVisible();
  await app.person.keyboard(' @a');
  await app.person.click(await screen.findByRole('option', { name: /Anna Lee/ }));
  expect(box).toHaveValue('@zh @Anna Lee ');
  expect(box).toHaveFocus();
});

test('composing with an input method opens no list', async () => {
  await app.person.click(box);
  fireEvent.compositionStart(box);
  fireEvent.change(box, { target: { value: '@lin' } });
  fireEvent.keyDown(box, { key: 'Enter', keyCode: 229, isComposing: true });
  expect(box).toHaveValue('@lin');
  expect(app.server.calls(readers)).toHaveLength(0);
  expect(screen.queryByRole('listbox')).toBeNull();
  fireEvent.change(box, { target: { value: '@林' } });
  fireEvent.compositionEnd(box);
  expect(await screen.findByRole('listbox')).toBeVisible();
  expect(activeName()).toMatch(/林小满$/);
});

test('an address opens no list', async () => {
  await app.person.type(box, 'anna@example.com');
  expect(app.server.calls(readers)).toHaveLength(0);
});
