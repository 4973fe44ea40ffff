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
  fault,
  onChange,
}: {
  readonly field: TableField;
  readonly value: unknown;
  readonly fault: string | undefined;
  readonly onChange: (value: unknown, fault?: string) => void;
}): ReactElement => (
  <Suspense fallback={<Bone h={60} />}>
    <RecordField
      field={field}
      name={`new-${field.id}`}
      value={value}
      kept={null}
      language={null}
      required={field.required}
      typed
      fault={fault}
      theirs={undefined}
      who={[]}
      onChange={onChange}
      onFocus={() => undefined}
    />
  </Suspense>
);
