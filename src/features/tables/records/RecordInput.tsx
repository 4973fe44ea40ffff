import { lazy, Suspense } from 'react';
import type { ReactElement } from 'react';
import type { TableField } from '@contract/tables/schemas';
import { Bone } from '@/ui/skeletons';

/** In the drawer's chunk: rich text and repeaters have large editors that the grid does not need. */
const RecordField = lazy(() => import(/* webpackChunkName: "record" */ '../record/RecordField').then((part) => ({ default: part.RecordField })));

/** One field of a new record, with label, help and error. */
export const RecordInput = ({
  field,
  value,
  error,
  onChange,
}: {
  readonly field: TableField;
  readonly value: unknown;
  readonly error: string | undefined;
  readonly onChange: (value: unknown, error?: string) => void;
}): ReactElement => (
  <Suspense fallback={<Bone h={60} />}>
    <RecordField
      field={field}
      name={`new-${field.id}`}
      value={value}
      storedValue={null}
      language={null}
      required={field.required}
      typed
      error={error}
      theirs={undefined}
      who={[]}
      onChange={onChange}
      onFocus={() => undefined}
    />
  </Suspense>
);
