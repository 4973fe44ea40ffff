import { configure, screen } from '@testing-library/react';
import type { PublicLink } from '@contract/tables/publicLinks';
import { checkResponses } from '../../../../test/support/checkedResponses';
import type { Answer } from '../../../../test/support/fakeServer';
import { publicLink, renderTables, tablesPath } from '../../../../test/support/publicLinksScreen';
import { recordId } from '../../../../test/support/recordsScreen';

checkResponses();

// These tests render the whole console, which takes its time on a busy machine.
jest.setTimeout(60_000);
configure({ defaultHidden: true });

let publicLinks: PublicLink[];
beforeEach(() => (publicLinks = []));
const open = (address: string, answers?: Record<string, Answer>) => renderTables(address, () => publicLinks, answers);

test("a link stopped with its maker's permissions can be taken over", async () => {
  publicLinks = [publicLink({ stopped: 'role' })];
  const take = `POST ${tablesPath}/shares/${recordId(700)}/take-over`;
  const { person } = await open('admin?part=shares', {
    [take]: () => {
      publicLinks = [publicLink()];
      return { data: publicLinks[0] };
    },
  });
  expect(await screen.findByText('Stopped: its creator may no longer share this')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Copy link' })).not.toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: 'Take over the link 给客户' }));
  expect(await screen.findByRole('button', { name: 'Copy link' })).toBeVisible();
  expect(screen.queryByText(/Stopped/)).not.toBeInTheDocument();
});
