import { failureMessage, noticeShown } from '@/features/notices/noticesSlice';
import { isFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { tablesApi } from '../tablesApi';

/** Writes values of one record when it is moved; resolves with whether it succeeded. A concurrent change of the same field is reported, not overwritten. */
export function useMoveValue(siteId: string, table: string, locale: string | undefined, onBatches: (batches: readonly string[]) => void) {
  const dispatch = useAppDispatch();
  return async (id: string, values: Readonly<Record<string, unknown>>, revision?: number): Promise<boolean> => {
    const change = { id, values: { ...values }, ...(revision === undefined ? {} : { revision }) };
    const body = { changes: [change], origin: 'console' as const, ...(locale === undefined ? {} : { locale }) };
    const { data, error } = await dispatch(tablesApi.endpoints.changeRecords.initiate({ siteId, table, body }));
    if (data) {
      if (data.batchId !== null) onBatches([data.batchId]);
      return true;
    }
    if (isFailure(error)) {
      dispatch(noticeShown({ tone: 'bad', message: failureMessage(error), requestId: error.requestId }));
      dispatch(tablesApi.util.invalidateTags([{ type: 'Records', id: table }]));
    }
    return false;
  };
}
