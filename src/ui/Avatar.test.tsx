import { fireEvent, render, screen } from '@testing-library/react';
import { Avatar, initialsOf } from './Avatar';

test.each([
  ['王小明', 2, '小明'],
  ['王小明', 1, '明'],
  ['林晓', 2, '林晓'],
  ['阿依古丽·买买提', 2, '买提'],
  ['Chen Xiao', 2, 'CX'],
  ['anna maria schmidt', 2, 'AS'],
  ['chen.xiao', 1, 'C'],
  ['😀 face', 1, '😀'],
  ['VIP 客户', 2, 'V客'],
  ['   ', 2, '·'],
] as const)('%s in %i signs: %s', (name, most, signs) => {
  expect(initialsOf(name, most)).toBe(signs);
});

test('a picture that fails shows initials, and a new one loads', () => {
  const { container, rerender } = render(<Avatar name="王小明" picture="/api/acc/user/1/avatar?v=1" size={36} />);
  const picture = container.querySelector('img');
  expect(picture).toHaveAttribute('src', '/api/acc/user/1/avatar?v=1');
  if (picture) fireEvent.error(picture);
  expect(screen.getByText('小明')).toBeInTheDocument();
  rerender(<Avatar name="王小明" picture="/api/acc/user/1/avatar?v=2" size={36} />);
  expect(container.querySelector('img')).toHaveAttribute('src', '/api/acc/user/1/avatar?v=2');
});
