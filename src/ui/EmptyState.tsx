import type { ReactNode } from 'react';

/** What will appear here, why it is empty, and one next step. `none`: nothing yet; `noMatch`: filters hide everything; `noRight`: not allowed. */
export const EmptyState = ({
  kind = 'none',
  title,
  children,
  action,
}: {
  kind?: 'none' | 'noMatch' | 'noRight';
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
}) => (
  <div className="empty-state" data-empty={kind} {...(kind === 'noMatch' ? { role: 'status' } : {})}>
    <p>{title}</p>
    {children && <div>{children}</div>}
    {action}
  </div>
);
