/** Kinds, by content; each has a screen of its own. */
export const resourceKinds = ['image', 'svg', 'video', 'attachment'] as const;
export type ResourceKind = (typeof resourceKinds)[number];
