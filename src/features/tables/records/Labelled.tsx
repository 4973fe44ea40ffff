import { useMemo } from 'react';
import type { ReactElement, ReactNode } from 'react';
import type { RecordLabels } from '@contract/tables/records';
import { FieldEnvProvider, joinedLabels, useFieldEnv } from '../fieldTypes/env';

/** Adds the labels that came with a list to those already known. */
export const Labelled = ({ labels, children }: { readonly labels: RecordLabels; readonly children: ReactNode }): ReactElement => {
  const env = useFieldEnv();
  const all = useMemo(() => ({ ...env, labels: joinedLabels(env.labels, labels) }), [env, labels]);
  return <FieldEnvProvider value={all}>{children}</FieldEnvProvider>;
};
