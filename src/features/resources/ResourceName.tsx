import type { ReactElement } from 'react';

/** A name that is cut off before its extension where space is short; read as one text. */
export function ResourceName({ name }: { readonly name: string }): ReactElement {
  const dot = name.lastIndexOf('.');
  const end = dot > 0 && name.length - dot <= 6 ? dot : name.length;
  return (
    <>
      <span className="only-read">{name}</span>
      <span className="resource-name" aria-hidden="true">
        <span>{name.slice(0, end)}</span>
        <span>{name.slice(end)}</span>
      </span>
    </>
  );
}
