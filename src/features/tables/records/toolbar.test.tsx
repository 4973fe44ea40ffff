import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { ContentRecord } from '@contract/tables/records';
import { checkResponses } from '../../../../test/support/checkedResponses';
import type { Answer } from '../../../../test/support/fakeServer';
import { base, calls, of, openRecords, threeRecords, written } from '../../../../test/support/recordsPage';
import type { RecordsApp } from '../../../../test/support/recordsPage';
import { fieldOf, recordOf, tableOf, viewOf } from '../../../../test/support/recordsScreen';

checkResponses();

// These tests render the whole console, which takes its time on a busy machine.
jest.setTimeout(60_000);
configure({ defaultHidden: true });

let app: RecordsApp;
let rows: ContentRecord[] = [];
async function open(search = '', answers: Record<string, Answer> = {}) {
  app = await openRecords(() => rows, search, answers, 'en');
  return app;
}
beforeEach(() => {
  rows = threeRecords();
});
afterEach(() => {
  app.end();
  sessionStorage.clear();
  localStorage.clear();
});

test('publishing is always offered, for what is not published yet', async () => {
  let left = 2;
  await open('', {
    [`GET ${of}/aggregate`]: () => ({ data: { count: left, values: {}, groups: [], more: false, labels: { records: {}, people: {} } } }),
    [`POST ${of}/records/publish`]: () => {
      left = 0;
      return { data: { ...written({ updated: 2 }), jobId: null } };
    },
  });
  const { person } = app;
  await person.click(await screen.findByRole('button', { name: 'Publish 2' }));
  await person.click(within(await screen.findByRole('dialog', { name: 'Publish 2 records?' })).getByRole('button', { name: 'Publish' }));
  expect(await screen.findByText('2 records published')).toBeInTheDocument();
  expect(app.server.calls(`POST ${of}/records/publish`)[0]?.body).toEqual({ target: { filter: { field: '$state', op: 'in', value: ['draft', 'changed'] } } });
  await waitFor(() => expect(screen.getByRole('button', { name: 'Publish' })).toBeDisabled());
});

test('four tools show their names, the others are in a menu', async () => {
  await open();
  const { person } = app;
  const bar = await screen.findByRole('toolbar', { name: 'Tools' });
  for (const name of ['Filter', 'Sort', 'Group', 'Fields']) expect(within(bar).getByText(name)).not.toHaveClass('only-read');
  expect(within(bar).queryByText('Look')).toBeNull();
  await person.click(within(bar).getByRole('button', { name: 'More tools' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Look' }));
  await person.click(within(await screen.findByRole('dialog', { name: 'Look' })).getByText('Tall'));
  await person.click(within(bar).getByRole('button', { name: 'Fields' }));
  await person.click(within(await screen.findByRole('dialog', { name: 'Fields' })).getByRole('checkbox', { name: 'Show “价格”' }));
  expect(within(bar).getByRole('button', { name: /^Fields\s*1$/ })).toBeInTheDocument();
});

test('a card without a picture has no space for one', async () => {
  const cover = fieldOf({ id: 'f_coveraaaaaaa', key: 'cover', type: 'image', title: '封面' });
  const view = viewOf({ kind: 'gallery', query: { ...viewOf().query, cover: cover.id } });
  rows = [recordOf(1, { f_titleaaaaaaa: '有图', [cover.id]: [{ url: '/media/a.webp' }] }), recordOf(2, { f_titleaaaaaaa: '无图' })];
  await open(`?view=${view.id}`, { [calls.views]: { data: [view] }, [`GET ${base}/tables`]: { data: [tableOf({ fields: [...tableOf().fields, cover] })] } });
  const spaceOf = (name: string) => screen.getByRole('button', { name: new RegExp(name) }).querySelector('.tables-cover');
  await screen.findByText('有图');
  expect(spaceOf('有图')).not.toBeNull();
  expect(spaceOf('无图')).toBeNull();
  // A picture that cannot be loaded leaves no empty block.
  fireEvent.error(spaceOf('有图')?.querySelector('img') ?? document.body);
  expect(spaceOf('有图')).toBeNull();
});
