/** One step of the ClickHouse schema. Steps are never edited once released; add another. */
export type Migration = { readonly id: string; readonly statements: readonly string[] };
