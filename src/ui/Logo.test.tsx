import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { render } from '@testing-library/react';
import { LogoMark } from './Logo';

test('the icon of the browser tab is the logo', () => {
  const { container } = render(<LogoMark />);
  const favicon = readFileSync(join(__dirname, '../../public/favicon.svg'), 'utf8');
  expect(container.querySelector('path')?.getAttribute('d')).toBe(/<path class="w" d="([^"]+)"/.exec(favicon)?.[1]);
  expect(container.querySelector('rect')?.getAttribute('rx')).toBe(/<rect[^>]* rx="(\d+)"/.exec(favicon)?.[1]);
});
