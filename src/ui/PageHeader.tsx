import type { ReactNode } from 'react';

/** The page's only `h1` and at most one primary button beside it. The heading gets the focus after a navigation. */
export const PageHeader = ({
  title,
  note,
  beside,
  actions,
}: {
  title: ReactNode;
  note?: ReactNode;
  /** Shown right after the title: a label, a status. */ beside?: ReactNode;
  actions?: ReactNode;
}) => (
  <header className="page-header">
    <h1 tabIndex={-1} data-page-heading="">
      {title}
    </h1>
    {beside}
    {actions && <div className="side">{actions}</div>}
    {note && <p>{note}</p>}
  </header>
);
