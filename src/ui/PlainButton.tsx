import type { ComponentProps } from 'react';

/** A button of the frame: the first load does without MUI's, which comes with the first page that needs it. */
export const PlainButton = ({ kind, ...rest }: ComponentProps<'button'> & { kind?: 'primary' | 'quiet' }) => <button type="button" className="plain-button" {...(kind === undefined ? {} : { 'data-kind': kind })} {...rest} />;

/** A square button that holds an icon; its label says what it does, aloud and on hover. */
export const IconButton = ({ label, ...rest }: Omit<ComponentProps<'button'>, 'aria-label'> & { label: string }) => <button type="button" className="icon-button" aria-label={label} title={label} {...rest} />;
