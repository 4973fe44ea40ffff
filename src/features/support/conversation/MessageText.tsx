import { Fragment } from 'react';
import type { ReactElement } from 'react';
import { partsOf } from './links';

/** A plain text with its web addresses as links; nothing in it is read as markup. */
export const MessageText = ({ text }: { readonly text: string }): ReactElement => (
  <p dir="auto" className="support-text">
    {partsOf(text).map(({ text: part, href }, at) => (
      // The place is the identity: the text of a message never changes.
      <Fragment key={at}>
        {href === undefined ? (
          part
        ) : (
          <a href={href} target="_blank" rel="noopener noreferrer nofollow ugc">
            {part}
          </a>
        )}
      </Fragment>
    ))}
  </p>
);
