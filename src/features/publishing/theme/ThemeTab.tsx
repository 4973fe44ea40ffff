import type { ReactElement } from 'react';
import type { Site } from '@contract/sites/schemas';

/** The theme of a site: its settings and its files. */
export const ThemeTab = ({ site }: { readonly site: Site }): ReactElement => <section aria-label={site.name} />;
