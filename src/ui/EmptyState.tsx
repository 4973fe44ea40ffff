import type { ReactNode } from 'react';
import { Icon } from './Icon';
import type { IconName } from './Icon';

type Ghost = 'chart' | 'rows' | 'cards';
const columns = [34, 52, 44, 70, 58, 86, 64, 78, 50, 92, 72, 60];
const ghosts: Readonly<Record<Ghost, ReactNode>> = {
  chart: columns.map((height, at) => <rect key={height} x={at * 60 + 10} y={110 - height} width={40} height={height} />),
  rows: [0, 1, 2, 3].map((at) => (
    <g key={at}>
      <rect x={10} y={at * 30 + 4} width={200 - at * 22} height={12} />
      <rect x={330} y={at * 30 + 4} width={120} height={12} />
      <rect x={590} y={at * 30 + 4} width={120} height={12} />
    </g>
  )),
  cards: [0, 1, 2].map((at) => <rect key={at} x={at * 245 + 5} y={4} width={220} height={112} rx={3} />),
};
const glyphs: Readonly<Record<Ghost, IconName>> = { chart: 'analytics', rows: 'table', cards: 'dashboard' };

/**
 * What will appear here, why it is empty, and one next step. `none`: nothing yet; `noMatch`: filters hide everything; `noRight`: not allowed. `ghost`: a faint
 * picture of what will be here; `icon` takes the place of its usual one.
 */
export const EmptyState = ({
  kind = 'none',
  ghost,
  icon,
  title,
  children,
  action,
}: {
  kind?: 'none' | 'noMatch' | 'noRight';
  ghost?: Ghost;
  icon?: ReactNode;
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
}) => (
  <div className="empty-state" data-empty={kind} {...(kind === 'noMatch' ? { role: 'status' } : {})}>
    {ghost && (
      <svg className="empty-ghost" data-ghost={ghost} viewBox="0 0 720 120" preserveAspectRatio="none" aria-hidden="true" focusable="false">
        {ghosts[ghost]}
      </svg>
    )}
    {icon ?? <Icon name={kind === 'noMatch' ? 'search' : ghost ? glyphs[ghost] : 'info'} size={40} />}
    <p>{title}</p>
    {children && <div>{children}</div>}
    {action}
  </div>
);
