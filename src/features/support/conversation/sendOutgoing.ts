import type { AppDispatch } from '@/store';
import { isFailure } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { readBase64 } from '@/lib/readBase64';
import { mergeMessages, supportApi } from '../supportApi';
import type { Outgoing } from './outgoingStore';

const failureOf = (error: unknown): ApiFailure | null =>
  error === undefined ? null : isFailure(error) ? error : { kind: 'http', method: '', url: '', status: 0, message: '' };

/** Sends a message, after its file if it has one, and adds what the server stored to the conversation. Resolves to null once it is stored. */
export async function sendOutgoing(
  dispatch: AppDispatch,
  { siteId, conversation: id, clientId, kind, body, readSeq, cannedId }: Outgoing,
  file: File | undefined,
): Promise<ApiFailure | null> {
  let fileId: string | undefined;
  if (file) {
    const uploaded = await dispatch(
      supportApi.endpoints.uploadSupportFile.initiate({ siteId, id, body: { name: file.name, bytes: await readBase64(file) } }, { track: false }),
    );
    if (uploaded.error !== undefined) return failureOf(uploaded.error);
    fileId = uploaded.data.id;
  }
  const message = {
    clientId,
    kind: fileId === undefined ? kind : ('file' as const),
    body,
    ...(fileId !== undefined && { fileId }),
    ...(readSeq !== undefined && { readSeq }),
    ...(cannedId !== undefined && { cannedId }),
  };
  const { data, error } = await dispatch(supportApi.endpoints.sendSupportMessage.initiate({ siteId, id, body: message }, { track: false }));
  if (data)
    dispatch(
      supportApi.util.updateQueryData('supportMessages', { siteId, id }, (cache) => {
        cache.rows = mergeMessages(cache.rows, [data]);
      }),
    );
  return failureOf(error);
}
