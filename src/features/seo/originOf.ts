import type { Site } from '@contract/sites/schemas';

/** Where visitors find a site, without a slash at the end; empty: nowhere yet. */
export const originOf = ({ url, systemHost }: Site): string => (url ?? systemHost ?? '').replace(/\/$/, '');
