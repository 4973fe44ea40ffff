import type { ReactElement, ReactNode } from 'react';
import type { ImageEdit, Size } from '@contract/resources/edits';
import { placed } from './imageEdit';

/** A picture turned and cropped in the browser, before the server has computed it. `size`: of the file; `box`: its proportions, and its width in px where there is space for it. */
export function EditedPicture({
  source,
  size,
  edit,
  box,
  children,
}: {
  readonly source: string;
  readonly size: Size;
  readonly edit: ImageEdit;
  readonly box: Size;
  readonly children?: ReactNode;
}): ReactElement {
  return (
    <span className="resource-edited" style={{ width: box.width, aspectRatio: `${String(box.width)} / ${String(box.height)}` }}>
      <img src={source} alt="" draggable={false} style={placed(size, edit)} />
      {children}
    </span>
  );
}
