import { configure, screen, waitFor, within } from '@testing-library/react';
import type { ContentTable } from '@contract/tables/schemas';
import { checkResponses } from '../../../../test/support/checkedResponses';
import { renderApp } from '../../../../test/support/renderApp';
import { fieldOf, pageOf, recordId, tableOf, viewOf } from '../../../../test/support/recordsScreen';

checkResponses();

jest.setTimeout(60_000);
configure({ defaultHidden: true });

const base = '/api/site/abcdefghijkl/table';
const of = `${base}/tables/t_articleaaaaa`;
const add = `POST ${of}/records`;
const item = (field: string) => ({ field, width: 'half' as const });
const table: ContentTable = tableOf({
  drafts: false,
  fields: [
    fieldOf({ id: 'f_titleaaaaaaa', type: 'text', title: '标题' }),
    fieldOf({ id: 'f_kindaaaaaaaa', type: 'text', title: '类型' }),
    fieldOf({
      id: 'f_whyaaaaaaaaa',
      type: 'text',
      title: '原因',
      conditions: [
        { filter: { field: 'f_kindaaaaaaaa', op: 'ne', value: '退货' }, then: 'hidden' },
        { filter: { field: 'f_kindaaaaaaaa', op: 'eq', value: '退货' }, then: 'required' },
      ],
    }),
    fieldOf({ id: 'f_unusedaaaaaa', type: 'text', title: '内部' }),
  ],
  layout: {
    style: 'groups',
    sections: [
      { title: '说明', note: '', collapsed: false, fields: [item('f_kindaaaaaaaa'), item('f_titleaaaaaaa')] },
      { title: '退货', note: '', collapsed: true, fields: [item('f_whyaaaaaaaaa')] },
    ],
    hidden: ['f_unusedaaaaaa'],
  },
});
// Its columns select the fields, the layout their order.
const columns = ['f_titleaaaaaaa', 'f_whyaaaaaaaaa', 'f_kindaaaaaaaa', 'f_unusedaaaaaa'].map((field) => ({ field }));
const view = viewOf({ kind: 'form', title: '登记', query: { ...viewOf().query, columns, formTitle: '登记' } });

let app: Awaited<ReturnType<typeof renderApp>>;
afterEach(() => {
  app.end();
  sessionStorage.clear();
  localStorage.clear();
});

test('a form view applies layout and conditions and focuses missing fields', async () => {
  app = await renderApp(`/site/abcdefghijkl/table/records?view=${view.id}`, {
    messages: ['form', 'tableRecord'],
    answers: {
      [`GET ${base}/tables`]: { data: [table] },
      [`GET ${of}/views`]: { data: [view] },
      [`GET ${of}/records`]: { data: pageOf([]) },
      [`GET ${base}/batches`]: { data: [] },
      [`POST ${of}/presence`]: { data: null },
      [add]: { data: { batchId: recordId(500), created: 1, updated: 0, unchanged: 0, records: [] } },
    },
  });
  const first = await screen.findByRole('region', { name: '说明' });
  const boxes = within(first);
  await waitFor(() =>
    expect(boxes.getAllByRole('textbox').map((box) => box.closest('[data-field]')?.getAttribute('data-field'))).toEqual(['f_kindaaaaaaaa', 'f_titleaaaaaaa']),
  );
  expect(screen.queryByRole('button', { name: '退货' })).toBeNull();
  expect(screen.queryByLabelText(/内部/)).toBeNull();

  await app.person.type(boxes.getByLabelText(/类型/), '退货');
  expect(screen.getByRole('button', { name: '退货' })).toHaveAttribute('aria-expanded', 'false');
  await app.person.click(screen.getByRole('button', { name: 'Submit' }));
  const why = await screen.findByRole('textbox', { name: /原因/ });
  await waitFor(() => expect(why).toHaveFocus());
  expect(screen.getByRole('button', { name: '退货' })).toHaveAttribute('aria-expanded', 'true');
  expect(app.server.calls(add)).toEqual([]);

  // Values of fields that a condition has hidden again are not saved.
  await app.person.type(why, '破损');
  await app.person.clear(boxes.getByLabelText(/类型/));
  await app.person.type(boxes.getByLabelText(/类型/), '咨询');
  expect(screen.queryByRole('textbox', { name: /原因/ })).toBeNull();
  await app.person.click(screen.getByRole('button', { name: 'Submit' }));
  await waitFor(() => expect(app.server.calls(add).map(({ body }) => body)).toEqual([{ records: [{ f_kindaaaaaaaa: '咨询' }] }]));
});
