import { screen, waitFor, within } from '@testing-library/react';
import type { RecordComment } from '@contract/tables/records';
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
const said: RecordComment = {
  id: recordId(50),
  text: 'First',
  mentions: [],
  revision: 1,
  by: 'Lin',
  own: true,
  at: '2026-11-20T08:00:00.000Z',
  resolvedAt: null,
};
/** Its author's account was deleted. */
const orphaned: RecordComment = { ...said, id: recordId(51), text: 'Second', by: '', own: false };
const change = `PATCH ${of}/records/${record.id}/comments/${said.id}`;

let app: Awaited<ReturnType<typeof renderApp>>;
let stored: RecordComment;
beforeEach(async () => {
  stored = said;
  app = await renderApp(`/site/${site().id}/table/records?record=${record.id}&tab=comments`, {
    messages: ['form', 'tableRecord'],
    locale: 'en',
    answers: {
      [`GET ${base}/tables`]: { data: [tableOf()] },
      [`GET ${of}/views`]: { data: [] },
      [`GET ${of}/records`]: { data: { rows: [record], labels, next: null, total: 1, more: false, cost: { ms: 1, slow: false } } },
      [`GET ${of}/records/${record.id}`]: { data: { ...record, labels } },
      [`GET ${of}/records/${record.id}/comments`]: () => ({ data: [stored, orphaned] }),
      [`POST ${of}/presence`]: { data: null },
      [change]: async (request) => {
        if (request.headers.get('if-match') !== `"${String(stored.revision)}"`)
          return { error: 'Changed elsewhere', status: 409, code: 'stale_revision', current: stored };
        const { text } = (await request.clone().json()) as { text: string };
        stored = { ...stored, text, revision: stored.revision + 1 };
        return { data: stored };
      },
    },
  });
  await app.person.click(await screen.findByRole('tab', { name: 'Comments' }));
});
afterEach(() => app.end());

test('a comment of a deleted person says so', async () => {
  expect((await screen.findByText('Second')).closest('li')).toHaveTextContent('Deleted user');
});

/** Edits the comment, which is changed in another tab before it is saved. */
async function editStale(): Promise<HTMLElement> {
  const item = (await screen.findByText('First')).closest('li') as HTMLElement;
  await app.person.click(within(item).getByRole('button', { name: 'Edit' }));
  const box = within(item).getByRole('textbox', { name: 'Edit' });
  await app.person.clear(box);
  await app.person.type(box, 'Mine');
  stored = { ...said, text: 'Theirs', revision: 2 };
  await app.person.click(within(item).getByRole('button', { name: 'Save' }));
  expect(await within(item).findByText('This was changed a moment ago')).toBeInTheDocument();
  expect(within(item).getByRole('row', { name: 'Comment Mine Theirs' })).toBeInTheDocument();
  return item;
}

test('a comment changed in another tab is overwritten only on request', async () => {
  const item = await editStale();
  await app.person.click(within(item).getByRole('button', { name: 'Overwrite with mine' }));
  await waitFor(() => expect(within(item).queryByRole('textbox')).toBeNull());
  expect(app.server.calls(change).map(({ headers }) => headers.get('if-match'))).toEqual(['"1"', '"2"']);
  expect(await within(item).findByText('Mine')).toBeInTheDocument();
});

test('the text saved in another tab can be accepted', async () => {
  const item = await editStale();
  await app.person.click(within(item).getByRole('button', { name: 'Take the saved ones' }));
  expect(await within(item).findByText('Theirs')).toBeInTheDocument();
  expect(app.server.calls(change)).toHaveLength(1);
});

test('deleting a comment can be undone', async () => {
  const path = `${of}/records/${record.id}/comments/${said.id}`;
  app.server.answer(`DELETE ${path}`, { data: null });
  app.server.answer(`POST ${path}/restore`, { data: said });
  const item = (await screen.findByText('First')).closest('li') as HTMLElement;
  await app.person.click(within(item).getByRole('button', { name: 'Delete' }));
  await app.person.click(within(await screen.findByRole('dialog', { name: 'Delete this comment?' })).getByRole('button', { name: 'Delete' }));
  const notice = (await screen.findByText('Comment deleted')).closest<HTMLElement>('.notice') ?? document.body;
  await app.person.click(within(notice).getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(app.server.calls(`POST ${path}/restore`)).toHaveLength(1));
});
