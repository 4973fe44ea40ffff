import { useId } from 'react';
import type { ReactNode } from 'react';

/** A heading and its content, without a box. `dim` while newer data loads: old numbers stay visible. */
export const Section = ({
  title,
  note,
  actions,
  dim = false,
  children,
}: {
  title: ReactNode;
  note?: ReactNode;
  actions?: ReactNode;
  dim?: boolean;
  children: ReactNode;
}) => {
  const id = useId();
  return (
    <section className="section" aria-labelledby={id}>
      <div className="head">
        <h2 id={id}>{title}</h2>
        {note && <p>{note}</p>}
        {actions && <div className="side">{actions}</div>}
      </div>
      <div className="body" aria-busy={dim}>
        {children}
      </div>
    </section>
  );
};
