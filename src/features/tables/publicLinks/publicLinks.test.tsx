import { configure, screen, waitFor, within } from '@testing-library/react';
import type { PublicLink } from '@contract/tables/publicLinks';
import { checkResponses } from '../../../../test/support/checkedResponses';
import { violationsOf } from '../../../../test/support/axe';
import type { Answer } from '../../../../test/support/fakeServer';
import { publicLink, renderTables, linkedView, tablePath, tablesPath } from '../../../../test/support/publicLinksScreen';
import { recordId } from '../../../../test/support/recordsScreen';

checkResponses();

// These tests render the whole console, which takes its time on a busy machine.
jest.setTimeout(60_000);
configure({ defaultHidden: true });

let publicLinks: PublicLink[];
beforeEach(() => (publicLinks = []));
const open = (address: string, answers?: Record<string, Answer>) => renderTables(address, () => publicLinks, answers);

test('only a saved view is shared, and a failure keeps the input', async () => {
  const make = `POST ${tablePath}/views/${linkedView.id}/shares`;
  let refuse = true;
  const { person, server } = await open('records', {
    [make]: () => {
      if (refuse) return { error: 'Too many links', status: 409, code: 'conflict' };
      publicLinks = [publicLink()];
      return { data: publicLinks[0] };
    },
  });
  await person.click(await screen.findByRole('button', { name: 'More tools' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Share' }));
  expect(await screen.findByText(/A link opens a saved view/)).toBeVisible();
  await person.click(screen.getByRole('button', { name: 'Close' }));
  await person.click(screen.getByRole('button', { name: '已上线' }));
  await person.click(await screen.findByRole('button', { name: 'More tools' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Share' }));
  const dialog = await screen.findByRole('dialog', { name: 'Share the view “已上线”' });
  const name = await within(dialog).findByLabelText('Name');
  expect(name).toHaveValue('已上线');
  await person.clear(name);
  await person.type(name, '给客户');
  await person.click(within(dialog).getByRole('checkbox', { name: 'Allow downloading as CSV' }));
  await person.click(within(dialog).getByRole('button', { name: 'Create link' }));
  expect(await within(dialog).findByRole('alert')).toBeVisible();
  expect(name).toHaveValue('给客户');
  refuse = false;
  await person.click(within(dialog).getByRole('button', { name: 'Create link' }));
  expect(await within(dialog).findByRole('button', { name: 'Copy link' })).toBeVisible();
  expect(server.calls(make).at(-1)?.body).toEqual({ name: '给客户', drafts: false, download: true, expiresAt: null, password: null });
  expect(await violationsOf(dialog)).toEqual([]);
});

test('administration lists everything public, can end it and undo that', async () => {
  publicLinks = [publicLink({ hasPassword: true }), publicLink({ id: recordId(701), name: '旧的', expiresAt: '2020-01-01T00:00:00.000Z' })];
  const end = `DELETE ${tablesPath}/shares/${recordId(700)}`;
  const [first] = publicLinks as [PublicLink];
  const { person, server } = await open('admin?part=shares', {
    [end]: () => {
      publicLinks = publicLinks.slice(1);
      return { data: null };
    },
    [`POST ${tablesPath}/shares/${recordId(700)}/restore`]: () => {
      publicLinks = [first, ...publicLinks];
      return { data: first };
    },
  });
  const list = await screen.findByRole('list', { name: 'Public links' });
  expect(within(list).getAllByText('文章 · 已上线')).toHaveLength(2);
  expect(within(list).getByText('Password')).toBeVisible();
  expect(within(list).getByText(/Expired/)).toBeVisible();
  await person.click(screen.getByRole('button', { name: 'Revoke the public link 给客户' }));
  await person.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Revoke' }));
  await waitFor(() => expect(screen.queryByText('给客户')).not.toBeInTheDocument());
  expect(server.calls(end)).toHaveLength(1);
  await person.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('给客户')).toBeVisible();
});
