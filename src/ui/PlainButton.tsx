import type { ComponentProps } from 'react';

/** A button of the frame: the first load avoids MUI's button, which loads with the first page that needs it. */
export const PlainButton = (props: ComponentProps<'button'>) => <button type="button" className="plain-button" {...props} />;

/** A square icon button; its label is the accessible name and the tooltip. */
export const IconButton = ({ label, ...rest }: Omit<ComponentProps<'button'>, 'aria-label'> & { label: string }) => (
  <button type="button" className="icon-button" aria-label={label} title={label} {...rest} />
);
