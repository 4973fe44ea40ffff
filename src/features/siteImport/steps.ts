import type { ImportMapping, ImportTarget, SiteImport } from '@contract/siteImport/schemas';
import { oneOf, text } from '@/lib/searchState';

export const steps = ['source', 'plan', 'site', 'summary', 'report'] as const;
export type Step = (typeof steps)[number];

/** The import and its step are in the address, so that a reload and a shared link continue it. */
export const address = { id: text('', 40), step: oneOf(steps, 'source') };

/** What a person has decided and not started yet. */
export type Draft = { readonly mapping: ImportMapping; readonly target: ImportTarget };

const isStarted = ({ state }: SiteImport): boolean => !['uploading', 'uploaded', 'detecting', 'planned'].includes(state);
/** Whether the source was read, so that there is something to decide. */
export const isRead = (it: SiteImport | undefined): boolean => it !== undefined && it.plan !== null;
/** The step of an import that the address asks for, or the nearest one that it has reached. */
export function stepFor(it: SiteImport | undefined, requested: Step): Step {
  if (it === undefined) return 'source';
  if (it.plan === null) return it.state === 'uploading' ? 'source' : 'plan';
  if (isStarted(it)) return 'report';
  return requested === 'source' || requested === 'report' ? 'plan' : requested;
}

export const initialMapping = ({ plan, mapping }: SiteImport): ImportMapping =>
  mapping ?? {
    collections: (plan?.collections ?? []).map(({ key, title }) => ({ key, title, include: true })),
    status: 'as_is',
    media: 'copy',
    redirects: true,
  };

const pollMs = 1000;
export const pollingFor = (it: SiteImport | undefined): number => (it !== undefined && ['detecting', 'running', 'undoing'].includes(it.state) ? pollMs : 0);
