import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { Resource } from '@contract/resources/schemas';
import { resource } from '../../../../test/support/factories';
import { knownFiles } from '../../../../test/support/knownFiles';
import { base, calls, of, openRecords, recordsOf, written } from '../../../../test/support/recordsPage';
import type { RecordsApp } from '../../../../test/support/recordsPage';
import { fieldOf, recordId, recordOf, tableOf, viewOf } from '../../../../test/support/recordsScreen';
import type { Answer } from '../../../../test/support/fakeServer';
import { nameValues, typeFor } from './placedFiles';

const cover = fieldOf({ id: 'f_coveraaaaaaa', key: 'cover', type: 'image', title: '封面' });
const known = `POST ${base.replace(/table$/, 'resource/known')}`;
const photo = (name: string): File => new File(['tea'], name, { type: 'image/jpeg' });
const transferOf = (files: readonly File[]) => ({ types: ['Files'], files, items: files.map(({ type }) => ({ kind: 'file', type })) });
/** The resource that a file becomes: its number is in its name. */
const stored = ({ name }: { readonly name: string }): Resource => resource({ id: recordId(900 + Number(/\d/.exec(name)?.[0])), name });
const id = (n: number): string => recordId(900 + n);

let app: RecordsApp;
const open = async (rows: ReturnType<typeof recordOf>[], search: string, answers: Record<string, Answer>): Promise<void> => {
  app = await openRecords(() => rows, search, { [known]: knownFiles(stored), [calls.change]: { data: written() }, ...answers }, 'en');
};
const inTable = (fields = tableOf().fields) => ({ [`GET ${base}/tables`]: { data: [tableOf({ fields })] } });
afterEach(() => app.server.restore());

test('pictures dropped on a card are added to it, elsewhere they become records', async () => {
  const view = viewOf({ kind: 'gallery', query: { ...viewOf().query, cover: cover.id } });
  await open([recordOf(1, { f_titleaaaaaaa: '春茶', [cover.id]: [{ url: '/media/a.webp' }] })], `?view=${view.id}`, {
    [calls.views]: { data: [view] },
    ...inTable([...tableOf().fields, cover]),
    [calls.add]: { data: written({ created: 2 }) },
  });
  const card = await screen.findByText('春茶');
  fireEvent.dragEnter(card, { dataTransfer: transferOf([photo('1.jpg')]) });
  expect(screen.getByText('Drop to add to “文章”')).toBeInTheDocument();
  fireEvent.drop(card, { dataTransfer: transferOf([photo('1.jpg')]) });
  await waitFor(() => expect(app.server.calls(calls.change)).toHaveLength(1));
  expect(app.server.calls(calls.change)[0]?.body).toMatchObject({ changes: [{ values: { [cover.id]: [{ url: '/media/a.webp' }, { resource: id(1) }] } }] });
  fireEvent.drop(screen.getByText('春茶').closest('ul') ?? card, { dataTransfer: transferOf([photo('山门 2.jpg'), photo('3.jpg')]) });
  await waitFor(() =>
    expect(app.server.calls(calls.add)[0]?.body).toEqual({
      records: [
        { f_titleaaaaaaa: '山门 2', [cover.id]: [{ resource: id(2) }] },
        { f_titleaaaaaaa: '3', [cover.id]: [{ resource: id(3) }] },
      ],
    }),
  );
  expect(await screen.findByText('2 records added')).toBeInTheDocument();
});

test('photos dropped on a table without a field for them get one', async () => {
  const withPictures = tableOf({ fields: [...tableOf().fields, fieldOf({ id: 'f_picturesaaaa', type: 'image', title: 'Pictures' })] });
  await open([], '', { [`POST ${of}/fields`]: { data: withPictures }, [calls.add]: { data: written({ created: 2 }) } });
  fireEvent.drop(await screen.findByText('No records yet'), { dataTransfer: transferOf([photo('1.jpg'), photo('2.jpg')]) });
  await waitFor(() => expect(app.server.calls(calls.add)).toHaveLength(1));
  expect(app.server.calls(`POST ${of}/fields`)[0]?.body).toEqual({ type: 'image', title: 'Pictures' });
  expect(app.server.calls(calls.add)[0]?.body).toMatchObject({
    records: [{ f_picturesaaaa: [{ resource: id(1) }] }, { f_picturesaaaa: [{ resource: id(2) }] }],
  });
});

/** Drops a photo on a table without fields for it, so that the drop adds one, and undoes the drop. `values`: records that have a value in the field by then. */
async function undoneDrop(values: ReturnType<typeof recordOf>[]): Promise<{ readonly added: string; readonly batch: string }> {
  const added = `${of}/fields/f_picturesaaaa`;
  const batch = `${base}/batches/${recordId(500)}`;
  const step = { data: { batchId: recordId(500), undone: 1, skippedCount: 0, skipped: [] } };
  const withPictures = tableOf({ fields: [...tableOf().fields, fieldOf({ id: 'f_picturesaaaa', type: 'image', title: 'Pictures' })] });
  await open([], '', {
    [`POST ${of}/fields`]: { data: withPictures },
    [calls.add]: { data: written({ created: 1 }) },
    [`POST ${batch}/undo`]: step,
    [`POST ${batch}/redo`]: step,
    [`GET ${added}/usage`]: { data: [] },
    [`DELETE ${added}`]: { data: tableOf() },
    [`POST ${added}/restore`]: { data: withPictures },
  });
  fireEvent.drop(await screen.findByText('No records yet'), { dataTransfer: transferOf([photo('1.jpg')]) });
  await waitFor(() => expect(app.server.calls(calls.add)).toHaveLength(1));
  app.server.answer(
    calls.records,
    recordsOf(() => values),
  );
  await app.person.click(within(screen.getByRole('toolbar', { name: 'Tools' })).getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(app.server.calls(`GET ${added}/usage`)).toHaveLength(1));
  return { added, batch };
}

test('undo removes the records and the field that a drop added, redo restores both', async () => {
  const { added, batch } = await undoneDrop([]);
  expect(app.server.calls(`POST ${batch}/undo`)).toHaveLength(1);
  await waitFor(() => expect(app.server.calls(`DELETE ${added}`)).toHaveLength(1));
  await app.person.keyboard('{Control>}y{/Control}');
  await waitFor(() => expect(app.server.calls(`POST ${batch}/redo`)).toHaveLength(1));
  expect(app.server.calls(`POST ${added}/restore`)).toHaveLength(1);
});

test('undo keeps a field in which a record has a value', async () => {
  const { added } = await undoneDrop([recordOf(1, { f_picturesaaaa: [{ resource: id(1) }] })]);
  expect(await screen.findByText(/undone/i)).toBeInTheDocument();
  expect(app.server.calls(`DELETE ${added}`)).toHaveLength(0);
});

test('a file that fails does not keep the others from becoming records', async () => {
  const fails = knownFiles((file) => (file.name === '1.jpg' ? { error: 'Full', status: 413, code: 'too_large' } : stored(file)));
  await open([], '', { ...inTable([...tableOf().fields, cover]), [known]: fails, [calls.add]: { data: written({ created: 1 }) } });
  fireEvent.drop(await screen.findByText('No records yet'), { dataTransfer: transferOf([photo('1.jpg'), photo('2.jpg')]) });
  expect(await screen.findByText('1 file was not uploaded. Retry it in the list of uploads.')).toBeInTheDocument();
  expect(app.server.calls(calls.add)[0]?.body).toEqual({ records: [{ f_titleaaaaaaa: '2', [cover.id]: [{ resource: id(2) }] }] });
});

test('the type of a new field takes all files, and names lose their extension', () => {
  expect([typeFor([{ kind: 'image' }, { kind: 'svg' }]), typeFor([{ kind: 'video' }]), typeFor([{ kind: 'image' }, { kind: 'attachment' }])]).toEqual([
    'image',
    'video',
    'file',
  ]);
  const name = (text: string): unknown => Object.values(nameValues(tableOf(), { name: text }))[0];
  expect([name('茶 1.2.jpeg'), name('.env'), name('no-extension')]).toEqual(['茶 1.2', '.env', 'no-extension']);
});
