import type { ReactNode } from 'react';

/** The page's one `h1` and, beside it, at most one primary button. Focus goes to the heading after a navigation. */
export const PageHeader = ({
  title,
  note,
  beside,
  actions,
}: {
  title: ReactNode;
  note?: ReactNode;
  /** Right after the title: a label, a status. */ beside?: ReactNode;
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
