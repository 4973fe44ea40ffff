import { designApi } from '@/features/tables/parts/designApi';
import { tablesApi } from '@/features/tables/tablesApi';
import type { OfTable } from '@/features/tables/tablesApi';
import type { AppDispatch } from '@/store';

/** A field that a gesture added for its values, and that undo removes. */
export type AddedField = {
  /** Moves the field to the bin, unless a record has a value in it or something else uses it. */
  readonly takeBack: () => Promise<void>;
  /** Restores the field, if it was taken back. */
  readonly putBack: () => Promise<void>;
};

const { fieldUsage, removeField, restoreField } = designApi.endpoints;
const once = { subscribe: false, forceRefetch: true } as const;

/** `field`: its id. A field about which the server was not reached stays. */
export function addedField(dispatch: AppDispatch, of: OfTable, field: string): AddedField {
  const place = { ...of, field };
  let isTaken = false;
  async function isFree(): Promise<boolean> {
    const filter = JSON.stringify({ field, op: 'notEmpty' });
    const [usage, records] = await Promise.all([
      dispatch(fieldUsage.initiate(place, once)),
      dispatch(tablesApi.endpoints.recordPage.initiate({ ...of, filter, fields: '-', limit: 1 }, once)),
    ]);
    return usage.data?.length === 0 && records.data?.rows.length === 0;
  }
  return {
    async takeBack() {
      if (await isFree()) isTaken = (await dispatch(removeField.initiate(place))).error === undefined;
    },
    async putBack() {
      if (isTaken) isTaken = (await dispatch(restoreField.initiate(place))).error !== undefined;
    },
  };
}
