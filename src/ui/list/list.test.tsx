import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { ensureMessages, startI18n } from '@/i18n';
import { oneOf, text, whole } from '@/lib/searchState';
import { useListAddress } from '@/lib/useListAddress';
import { SearchBox } from '../SearchBox';
import { InfiniteList } from './InfiniteList';
import { NoMatch } from './NoMatch';
import { PagedList } from './PagedList';
import { RowList } from './RowList';

const address = { q: text(''), state: oneOf(['all', 'open'], 'all'), page: whole(1), size: whole(20) };
const names = Array.from({ length: 45 }, (_, at) => `Row ${String(at + 1)}`);
const idle = { isFetching: false, refetch: () => undefined };

const Address = () => (
  <p role="note" aria-label="Address">
    {useLocation().search}
  </p>
);

/** A list of forty-five rows whose server searches by name. */
function List() {
  const { state, filter, search, paging, isFiltered, clear } = useListAddress(address, ['q', 'state']);
  const found = names.filter((name) => name.includes(state.q));
  const rows = found.slice((state.page - 1) * state.size, state.page * state.size);
  return (
    <>
      <SearchBox label="Search" placeholder="" value={search.value} onChange={search.onChange} />
      <button type="button" onClick={() => filter({ state: 'open' })}>
        Only open
      </button>
      <PagedList
        result={{ ...idle, currentData: { rows, total: found.length } }}
        paging={paging}
        empty={isFiltered ? <NoMatch title="No row matches" onClear={clear} /> : <p>No rows yet</p>}
      >
        {(visible) => (
          <RowList label="Rows">
            {visible.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </RowList>
        )}
      </PagedList>
    </>
  );
}

const show = (at = '/') => {
  render(
    <MemoryRouter initialEntries={[at]}>
      <List />
      <Address />
    </MemoryRouter>,
  );
  return userEvent.setup();
};
const rowsIn = () => screen.getAllByRole('listitem').map((row) => row.textContent);
const search = () => screen.getByRole('note', { name: 'Address' }).textContent;

beforeAll(async () => {
  await startI18n('en');
  await ensureMessages(['chart']);
});

test('the pager moves through the pages of the address', async () => {
  const person = show('/?page=2');
  expect(rowsIn()[0]).toBe('Row 21');
  await person.click(screen.getByRole('button', { name: 'Next page' }));
  expect(rowsIn()).toEqual(names.slice(40));
  expect(search()).toBe('?page=3');
});

test('a filter leads back to the first page', async () => {
  const person = show('/?page=3');
  await person.click(screen.getByRole('button', { name: 'Only open' }));
  expect(search()).toBe('?state=open');
  expect(rowsIn()[0]).toBe('Row 1');
});

test('without matches, clearing the filters brings the rows back', async () => {
  const person = show('/?q=nothing&state=open');
  expect(screen.getByRole('status')).toHaveTextContent('No row matches');
  await person.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(search()).toBe('');
  expect(screen.getByRole('searchbox', { name: 'Search' })).toHaveValue('');
  expect(rowsIn()).toHaveLength(20);
});

test('the address follows the typed search text', async () => {
  const person = show('/?page=2');
  await person.type(screen.getByRole('searchbox', { name: 'Search' }), 'Row 4');
  expect(await screen.findByText('?q=Row+4')).toBeInTheDocument();
  expect(rowsIn()).toEqual(['Row 4', ...names.slice(39)]);
});

test('a page past the end offers the first one', async () => {
  const person = show('/?page=9');
  expect(screen.getByText('There is nothing on this page')).toBeVisible();
  await person.click(screen.getByRole('button', { name: 'Go to the first page' }));
  expect(rowsIn()[0]).toBe('Row 1');
});

test('older entries are loaded until there are none', async () => {
  const fetchNextPage = jest.fn();
  const list = (pages: string[][], hasNextPage: boolean) => (
    <InfiniteList
      result={{ ...idle, currentData: { pages: pages.map((rows) => ({ rows })) }, hasNextPage, isFetchingNextPage: false, fetchNextPage }}
      empty={<p>No entries yet</p>}
    >
      {(rows) => <p>{rows.join(', ')}</p>}
    </InfiniteList>
  );
  const { rerender } = render(list([['new']], true));
  await userEvent.setup().click(screen.getByRole('button', { name: 'Load older entries' }));
  expect(fetchNextPage).toHaveBeenCalledTimes(1);
  rerender(list([['new'], ['old']], false));
  expect(screen.getByText('new, old')).toBeVisible();
  expect(screen.getByText('There are no older entries')).toBeVisible();
  rerender(list([[]], false));
  expect(screen.getByText('No entries yet')).toBeVisible();
});
