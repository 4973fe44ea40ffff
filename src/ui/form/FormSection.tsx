import { useId } from 'react';
import type { ReactElement, ReactNode } from 'react';

/** A part of a form page: heading and one sentence on the left, fields on the right; stacked on a phone. */
export function FormSection({ title, lead, children }: { readonly title: string; readonly lead?: ReactNode; readonly children: ReactNode }): ReactElement {
  const id = useId();
  return (
    <section className="form-section" aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        {lead !== undefined && <p>{lead}</p>}
      </div>
      <div className="form-fields">{children}</div>
    </section>
  );
}
