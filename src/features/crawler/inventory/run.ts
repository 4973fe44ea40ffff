/** A run whose findings a tab shows. */
export type RunProps = { readonly crawlerId: string; readonly runId: string };
