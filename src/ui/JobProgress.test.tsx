import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { JobProgress, shareDone } from './JobProgress';

test('the part done is unknown until the total is', () => {
  expect(shareDone(3, null)).toBeNull();
  expect(shareDone(null, 10)).toBeNull();
  expect(shareDone(0, 0)).toBeNull();
  expect(shareDone(3, 12)).toBe(0.25);
  expect(shareDone(13, 12)).toBe(1);
});

test('a running job says what it does and how far it is', () => {
  render(<JobProgress title="Importing records" share={0.4} detail="400 of 1,000" note="You can leave this page" />);
  expect(screen.getByRole('status')).toHaveTextContent('Importing records');
  expect(screen.getByRole('progressbar', { name: 'Importing records' })).toHaveAttribute('aria-valuenow', '40');
  expect(screen.getByText('400 of 1,000')).toBeVisible();
  expect(screen.getByText('You can leave this page')).toBeVisible();
  expect(screen.queryByRole('button')).not.toBeInTheDocument();
});

test('without a total the bar has no value', () => {
  render(<JobProgress title="Waiting" share={null} />);
  expect(screen.getByRole('progressbar', { name: 'Waiting' })).not.toHaveAttribute('aria-valuenow');
});

test('stop is requested once', async () => {
  const onStop = jest.fn();
  const stop = { label: 'Stop', busy: false, onStop };
  const { rerender } = render(<JobProgress title="Checking" share={null} stop={stop} />);
  await userEvent.setup().click(screen.getByRole('button', { name: 'Stop' }));
  expect(onStop).toHaveBeenCalledTimes(1);
  rerender(<JobProgress title="Checking" share={null} stop={{ ...stop, label: 'Stopping…', busy: true }} />);
  expect(screen.getByRole('button', { name: 'Stopping…' })).toBeDisabled();
});
