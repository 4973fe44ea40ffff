import type { ComponentProps } from 'react';

/** A button of the frame: the first load does without MUI's, which comes with the first page that needs it. */
export const PlainButton = (props: ComponentProps<'button'>) => <button type="button" className="plain-button" {...props} />;

/** A square button that holds an icon; its label says what it does, aloud and on hover. */
export const IconButton = ({ label, ...rest }: Omit<ComponentProps<'button'>, 'aria-label'> & { label: string }) => (
  <button type="button" className="icon-button" aria-label={label} title={label} {...rest} />
);
