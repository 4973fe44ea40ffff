import type { Resource } from '@contract/resources/schemas';
import { resourceLimits } from '@contract/resources/terms';
import type { AppDispatch } from '@/store';
import { filesApi, uploadsAddress } from './filesApi';

const tus = { 'tus-resumable': '1.0.0', 'x-requested-with': 'console' };

/** UTF-8 in base64, as metadata of tus is sent. */
const encoded = (text: string): string => btoa(String.fromCodePoint(...new TextEncoder().encode(text)));

async function sent(response: Promise<Response>): Promise<Response> {
  const received = await response;
  if (received.ok) return received;
  const body = (await received.json().catch(() => ({}))) as { readonly error?: unknown };
  throw new Error(typeof body.error === 'string' ? body.error : `HTTP ${received.status}`);
}

async function uploadFile(dispatch: AppDispatch, siteId: string, file: File): Promise<Resource> {
  const created = await sent(
    fetch(new URL(uploadsAddress(siteId), location.origin), {
      method: 'POST',
      headers: { ...tus, 'upload-length': String(file.size), 'upload-metadata': `name ${encoded(file.name)}` },
    }),
  );
  const address = new URL(created.headers.get('location') ?? '', location.origin);
  for (let offset = 0; offset < file.size; offset += resourceLimits.chunkBytes) {
    const body = file.slice(offset, offset + resourceLimits.chunkBytes);
    const headers = { ...tus, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' };
    await sent(fetch(address, { method: 'PATCH', headers, body }));
  }
  const upload = address.pathname.split('/').at(-1) ?? '';
  return dispatch(filesApi.endpoints.finishFile.initiate({ siteId, upload }, { track: false })).unwrap();
}

/** Uploads files into a site, one after the other; the resources in the order of the files. Rejects with a message for users, or with the failure of a call. */
export async function uploadFiles(dispatch: AppDispatch, siteId: string, files: readonly File[]): Promise<Resource[]> {
  const resources: Resource[] = [];
  for (const file of files) resources.push(await uploadFile(dispatch, siteId, file));
  return resources;
}
