import { fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Provider } from 'react-redux';
import type { Resource } from '@contract/resources/schemas';
import { ensureMessages, startI18n } from '@/i18n';
import { makeStore } from '@/store';
import { resource } from '../../../../../test/support/factories';
import { fakeServer } from '../../../../../test/support/fakeServer';
import { fieldEnv } from '../../../../../test/support/fieldEnv';
import { knownFiles } from '../../../../../test/support/knownFiles';
import { CellView } from '../CellView';
import { FieldEnvProvider } from '../env';
import type { ShownField } from '../env';
import { FieldEditor } from '../FieldEditor';
import { labelOf } from './labelOf';

const siteId = 'abcdefghijkl';
const tea = (n: number): Resource =>
  resource({ id: `0198c0de-0000-7000-8000-00000000000${n}`, name: `tea${n}.jpg`, sha256: String(n).repeat(64), focalX: 0.25 });
const [first, second, third] = [tea(1), tea(2), tea(3)];
const labels = Object.fromEntries([first, second].map((one) => [one.id, labelOf(one)]));
const env = fieldEnv({ siteId, localesOf: () => ['en', 'zh-Hans'], labels: { records: {}, people: {}, resources: labels } });
const pictures: ShownField = {
  id: 'f_picturesaaaa',
  type: 'image',
  title: 'Pictures',
  options: { most: 3 },
  yields: 'object',
  problem: null,
  readonly: false,
  required: false,
};

const of = `/api/site/${siteId}/resource`;
let server: ReturnType<typeof fakeServer>;
beforeAll(async () => {
  await startI18n('en');
  await ensureMessages(['tableFields']);
});
beforeEach(() => {
  knownFiles(() => third);
  server = fakeServer({ [`GET ${of}/items`]: { data: { rows: [third], after: null, total: 1 } } });
});
afterEach(() => server.restore());

function edit(value: unknown, field = pictures) {
  const onChange = jest.fn();
  render(
    <Provider store={makeStore()}>
      <FieldEnvProvider value={env}>
        <FieldEditor field={field} value={value} onChange={onChange} />
      </FieldEnvProvider>
    </Provider>,
  );
  return { onChange, person: userEvent.setup() };
}

test('files are described, moved and removed within their field', async () => {
  const { onChange, person } = edit([{ resource: first.id, alt: { 'zh-Hans': '茶' } }, { resource: second.id }]);
  await person.type(await screen.findByRole('textbox', { name: 'Alternative text of “tea1.jpg”' }), 'T');
  expect(onChange).toHaveBeenLastCalledWith([{ resource: first.id, alt: { 'zh-Hans': '茶', en: 'T' } }, { resource: second.id }]);
  await person.click(screen.getByRole('button', { name: 'All texts of “tea2.jpg”' }));
  await person.type(screen.getByRole('textbox', { name: /^Caption of “tea2.jpg” \(.*English/ }), 'C');
  await person.type(screen.getByRole('textbox', { name: /^Alternative text of “tea2.jpg” \(.*Chinese/ }), '叶');
  expect(onChange.mock.lastCall?.[0]).toMatchObject([{}, { resource: second.id, caption: { en: 'C' }, alt: { 'zh-Hans': '叶' } }]);
  await person.click(screen.getByRole('button', { name: 'Move “tea2.jpg” up' }));
  expect(onChange.mock.lastCall?.[0]).toMatchObject([{ resource: second.id }, { resource: first.id }]);
  const [, dropped] = screen.getAllByRole('listitem');
  const data = { types: [], effectAllowed: '' };
  fireEvent.dragStart(screen.getAllByRole('listitem')[0] ?? document.body, { dataTransfer: data });
  fireEvent.drop(dropped ?? document.body, { dataTransfer: data });
  expect(onChange.mock.lastCall?.[0]).toMatchObject([{ resource: first.id }, { resource: second.id }]);
  await person.click(screen.getByRole('button', { name: 'Remove tea1.jpg' }));
  expect(onChange.mock.lastCall?.[0]).toMatchObject([{ resource: second.id }]);
});

test('files are chosen among the resources of the kinds that the field takes', async () => {
  const { onChange, person } = edit(null);
  await person.click(screen.getByRole('button', { name: 'Choose from Resources' }));
  const dialog = await screen.findByRole('dialog', { name: 'Choose from Resources' });
  expect(
    within(dialog)
      .getAllByRole('option')
      .map((one) => one.textContent),
  ).toEqual(['Images', 'SVGs']);
  await person.click(await within(dialog).findByRole('button', { name: 'tea3.jpg' }));
  await person.click(within(dialog).getByRole('button', { name: 'Choose 1 file' }));
  expect(onChange).toHaveBeenLastCalledWith([{ resource: third.id }]);
  expect(screen.getByText('tea3.jpg')).toBeVisible();
});

test('a field for one file that has one offers only to replace it', async () => {
  const { onChange, person } = edit([{ resource: first.id }], { ...pictures, options: { most: 1 } });
  const replace = await screen.findByRole('button', { name: 'Replace the file of “Pictures”' });
  expect(screen.queryByRole('button', { name: 'Choose from Resources' })).toBeNull();
  expect(screen.queryByRole('button', { name: /^Move/ })).toBeNull();
  await person.click(replace);
  await person.click(screen.getByRole('button', { name: 'Add address' }));
  await person.type(screen.getByRole('textbox', { name: 'Address' }), 'https://example.com/tea.jpg{Enter}');
  expect(onChange).toHaveBeenLastCalledWith([{ url: 'https://example.com/tea.jpg' }]);
});

test('a pasted file is uploaded and added, a failure is explained', async () => {
  const { onChange } = edit([{ resource: first.id }]);
  const paste = (): boolean =>
    fireEvent.paste(screen.getByRole('button', { name: 'Upload to “Pictures”' }), { clipboardData: { files: [new File(['tea'], '茶.png')] } });
  server.answer(`POST ${of}/known`, { error: 'The file is too large', status: 413, code: 'too_large' });
  paste();
  expect(await screen.findByText('Not uploaded: The file is too large')).toBeVisible();
  server.answer(
    `POST ${of}/known`,
    knownFiles(() => third),
  );
  paste();
  expect(await screen.findByText('tea3.jpg')).toBeVisible();
  expect(onChange).toHaveBeenLastCalledWith([{ resource: first.id }, { resource: third.id }]);
});

test('a cell shows pictures from the console itself', () => {
  const { container } = render(
    <FieldEnvProvider value={env}>
      <CellView field={pictures} value={[{ resource: first.id, alt: { en: 'A cup' } }, { resource: third.id }]} />
    </FieldEnvProvider>,
  );
  expect(screen.getByRole('img', { name: 'A cup' })).toHaveStyle({ objectPosition: '25% 50%' });
  expect(screen.getByRole('img', { name: 'A cup' })).toHaveAttribute('src', expect.stringContaining(`${of}/items/${first.id}/variant?preset=thumbnail`));
  expect(container).toHaveTextContent('File not available');
});
