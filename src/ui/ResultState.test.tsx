import { act, render, screen } from '@testing-library/react';
import { ResultState } from './ResultState';

const network = { kind: 'network', status: 0, message: '' };
const broken = { kind: 'api', status: 500, message: 'broken' };

function show(answer: { currentData?: string; error?: unknown }) {
  const refetch = jest.fn();
  render(
    <ResultState result={{ isFetching: false, refetch, ...answer }} skeleton={null} failed={() => <p role="alert">It did not load</p>}>
      {(data) => <p>{data}</p>}
    </ResultState>,
  );
  return refetch;
}

afterEach(() => jest.useRealTimers());

test('figures stay silently when a refresh fails offline, and it retries', () => {
  jest.useFakeTimers();
  const refetch = show({ currentData: '400 views', error: network });
  expect(screen.getByText('400 views')).toBeInTheDocument();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  expect(refetch).not.toHaveBeenCalled();
  act(() => jest.advanceTimersByTime(10_000));
  expect(refetch).toHaveBeenCalledTimes(1);
});

test('without figures the same failure shows a message', () => {
  show({ error: network });
  expect(screen.getByRole('alert')).toBeInTheDocument();
});

test('a server failure is shown above the figures', () => {
  show({ currentData: '400 views', error: broken });
  expect(screen.getByText('400 views')).toBeInTheDocument();
  expect(screen.getByRole('alert')).toBeInTheDocument();
});

test('while a new range loads, the figures of the old one are dimmed', () => {
  render(
    <ResultState result={{ data: '400 views', isFetching: true, refetch: jest.fn() }} skeleton={null}>
      {(data) => <p>{data}</p>}
    </ResultState>,
  );
  expect(screen.getByText('400 views').parentElement).toHaveStyle({ opacity: '0.5' });
  expect(screen.getByText('400 views').parentElement).toHaveAttribute('aria-busy', 'true');
});
