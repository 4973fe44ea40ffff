import { render, screen } from '@testing-library/react';
import { EmptyState } from './EmptyState';

test.each(['chart', 'rows', 'cards'] as const)('the ghost of %s is not read aloud', (ghost) => {
  const { container } = render(
    <EmptyState ghost={ghost} title="No orders yet" action={<button type="button">Add an order</button>}>
      They appear here.
    </EmptyState>,
  );
  expect(container.querySelector(`[data-ghost="${ghost}"]`)).toHaveAttribute('aria-hidden', 'true');
  expect(container.querySelector('svg.icon')).toHaveAttribute('width', '40');
  expect(screen.getAllByRole('button')).toHaveLength(1);
});

test('filters that hide everything are announced, without a ghost', () => {
  const { container } = render(<EmptyState kind="noMatch" title="Nothing matches" />);
  expect(screen.getByRole('status')).toHaveTextContent('Nothing matches');
  expect(container.querySelector('.empty-ghost')).toBeNull();
});
