import { configure, screen } from '@testing-library/react';
import type { PublicLink } from '@contract/tables/publicLinks';
import { checkResponses } from '@/store/contractChecks';
import type { Answer } from '../../../../test/support/fakeServer';
import { pageOf, recordId, recordOf, tableOf, viewOf } from '../../../../test/support/recordsScreen';
import { renderApp } from '../../../../test/support/renderApp';

checkResponses();

// These tests render the whole console, which takes its time on a busy machine.
jest.setTimeout(60_000);
configure({ defaultHidden: true });

const base = '/api/site/abcdefghijkl/table';
const of = `${base}/tables/t_articleaaaaa`;
const view = viewOf({ title: '已上线' });
const publicLinkOf = (change: Partial<PublicLink> = {}): PublicLink => ({
  id: recordId(700),
  name: '给客户',
  url: `http://localhost/view/${'A'.repeat(43)}`,
  tableId: 't_articleaaaaa',
  tableTitle: '文章',
  viewId: view.id,
  viewTitle: view.title,
  kind: 'grid',
  hasPassword: false,
  drafts: false,
  download: false,
  form: null,
  expiresAt: null,
  createdAt: '2026-11-20T08:00:00.000Z',
  createdBy: '林小满',
  stopped: null,
  lastUsedAt: null,
  opened: 0,
  revision: 3,
  ...change,
});
let shares: PublicLink[];
beforeEach(() => (shares = []));
async function open(address: string, answers: Record<string, Answer> = {}) {
  return renderApp(`/site/abcdefghijkl/table/${address}`, {
    answers: {
      [`GET ${base}/tables`]: { data: [tableOf()] },
      [`GET ${of}/views`]: { data: [view] },
      [`GET ${of}/records`]: { data: pageOf([recordOf(1)], { total: 1 }) },
      [`GET ${base}/batches`]: { data: [] },
      [`POST ${of}/presence`]: { data: null },
      [`GET ${base}/shares`]: () => ({ data: shares }),
      ...answers,
    },
  });
}

test("a link stopped with its maker's permissions can be taken over", async () => {
  shares = [publicLinkOf({ stopped: 'role' })];
  const take = `POST ${base}/shares/${recordId(700)}/take-over`;
  const { person } = await open('admin?part=shares', {
    [take]: () => {
      shares = [publicLinkOf()];
      return { data: shares[0] };
    },
  });
  expect(await screen.findByText('Stopped: whoever made it may no longer share this')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Copy link' })).not.toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: 'Take over the link 给客户' }));
  expect(await screen.findByRole('button', { name: 'Copy link' })).toBeVisible();
  expect(screen.queryByText(/Stopped/)).not.toBeInTheDocument();
});
