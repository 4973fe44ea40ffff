import { useState } from 'react';
import type { z } from 'zod';
import { rightsPart } from '@contract/tables/schemas';
import type { SchemaDifference, SchemaFile } from '@contract/tables/schemas';
import { useApplySchemaMutation, useCompareSchemaMutation } from '@/features/tables/parts/designApi';

/** The source of a comparison: a file, or another site. */
export type Source = { readonly file: z.infer<typeof SchemaFile> } | { readonly siteId: string };
/** The name that identifies a difference to the server: of a table, or of a part of it. */
export const nameOf = ({ table, field }: SchemaDifference): string => (field === null ? table : `${table}.${field}`);
export const isApplicable = ({ change }: SchemaDifference): boolean => change === 'add' || change === 'change';
/** Access rules of a table that is not being created cannot be applied. */
export const isWithoutTable = ({ table, field, change }: SchemaDifference, excluded: ReadonlySet<string>): boolean =>
  field === rightsPart && change === 'add' && excluded.has(table);

/** Compares the definitions of a site with a source, and applies the differences that are not excluded. */
export function useSchemaComparison(siteId: string) {
  const [compare, comparing] = useCompareSchemaMutation();
  const [apply, applying] = useApplySchemaMutation();
  const [source, setSource] = useState<Source | null>(null);
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set());
  const [differences, setDifferences] = useState<readonly SchemaDifference[] | null>(null);
  const chosen = (differences ?? []).filter((one) => isApplicable(one) && !excluded.has(nameOf(one)) && !isWithoutTable(one, excluded));
  return {
    source,
    /** null: nothing has been compared yet. */ differences,
    excluded,
    chosen,
    comparing: comparing.isLoading,
    applying: applying.isLoading,
    errors: [applying.error, comparing.error],
    choose: (next: Source | null): void => {
      setSource(next);
      setDifferences(null);
      setExcluded(new Set());
    },
    exclude: (name: string, on: boolean): void => setExcluded(new Set(on ? [...excluded, name] : [...excluded].filter((one) => one !== name))),
    compare: async (): Promise<void> => {
      if (!source) return;
      const { data } = await compare({ siteId, body: source });
      if (!data) return;
      setDifferences(data);
      // Access rules of existing tables are excluded by default.
      setExcluded(new Set(data.filter((one) => one.field === rightsPart && one.change === 'change').map(nameOf)));
    },
    /** Resolves with the number of applied differences; null where the call failed. */
    apply: async (): Promise<number | null> => {
      if (!source) return null;
      const { data } = await apply({ siteId, body: { ...source, only: chosen.map(nameOf) } });
      return data ? data.length : null;
    },
  };
}
export type SchemaComparison = ReturnType<typeof useSchemaComparison>;
