import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense } from 'react';
import { startI18n } from '@/i18n';
import { lazyWithRetry } from './lazyWithRetry';

beforeAll(() => startI18n('en'));

const Records = ({ count }: { readonly count: number }) => <p>{count} records</p>;

/** Code that arrives as soon as `online.now` is true. */
function makePart() {
  const online = { now: false };
  const load = jest.fn(() => (online.now ? Promise.resolve({ default: Records }) : Promise.reject(new Error('ChunkLoadError'))));
  const Part = lazyWithRetry(load);
  const show = () =>
    render(
      <Suspense fallback={<p>Loading</p>}>
        <Part count={3} />
      </Suspense>,
    );
  return { online, load, show, person: userEvent.setup() };
}

test('a part that did not arrive is retried in its place', async () => {
  const { online, load, show, person } = makePart();
  show();
  await person.click(await screen.findByRole('button', { name: 'Try again' }));
  await screen.findByRole('alert');
  expect(load).toHaveBeenCalledTimes(2);
  online.now = true;
  await person.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('3 records')).toBeVisible();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a part that did not arrive appears when the network is back', async () => {
  const { online, show } = makePart();
  show();
  await screen.findByRole('alert');
  online.now = true;
  act(() => void dispatchEvent(new Event('online')));
  expect(await screen.findByText('3 records')).toBeVisible();
});

test('a part that did not arrive is requested again when it is opened again', async () => {
  const { online, load, show } = makePart();
  const { unmount } = show();
  await screen.findByRole('alert');
  unmount();
  online.now = true;
  show();
  expect(await screen.findByText('3 records')).toBeVisible();
  expect(load).toHaveBeenCalledTimes(2);
});
