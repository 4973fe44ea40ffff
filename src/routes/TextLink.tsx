import { Link } from 'react-router-dom';
import type { LinkProps } from 'react-router-dom';

/** A link in running text. */
export const TextLink = (props: LinkProps) => <Link className="text-link" {...props} />;
