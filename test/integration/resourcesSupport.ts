import { createHash } from 'node:crypto';
import sharp from 'sharp';
import type { Resource } from '../../contract/resources/schemas';
import type { Person } from '../support/app';

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A JPEG with a position inside, of a size and colour. */
export const photo = (width: number, height: number, background = '#3b7a57'): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .withExif({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '30/1 15/1 0/1', GPSLongitudeRef: 'E', GPSLongitude: '120/1 9/1 0/1' } })
    .jpeg()
    .toBuffer();

/** The id of an upload, by the address that its creation returned (`location`). */
export const idOf = (location: unknown): string => String(location).split('/').at(-1) ?? '';

const encoded = (text: string): string => Buffer.from(text).toString('base64');

/** Calls to the resources of a site, as the console makes them. */
export function resourceClient(person: Person, siteId: string) {
  const base = `/api/site/${siteId}/resource`;
  const tus = { 'tus-resumable': '1.0.0' };
  const create = (size: number, metadata: Readonly<Record<string, string>>) =>
    person.send('POST', `${base}/uploads`, undefined, {
      ...tus,
      'upload-length': String(size),
      'upload-metadata': Object.entries(metadata)
        .map(([key, value]) => `${key} ${encoded(value)}`)
        .join(','),
    });
  const append = (id: string, offset: number, chunk: Buffer, headers = {}) =>
    person.send('PATCH', `${base}/uploads/${id}`, chunk, {
      ...tus,
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
      ...headers,
    });
  const finish = (id: string) => person.send('POST', `${base}/uploads/${id}/finish`);

  return {
    base,
    create,
    append,
    finish,
    offset: async (id: string) => Number((await person.head(`${base}/uploads/${id}`, tus)).headers['upload-offset']),
    cancel: (id: string) => person.send('DELETE', `${base}/uploads/${id}`, undefined, tus),
    async upload(bytes: Buffer, name: string, metadata: Readonly<Record<string, string>> = {}): Promise<Resource> {
      const created = await create(bytes.length, { name, ...metadata });
      if (created.statusCode !== 201) throw new Error(created.body);
      const id = idOf(created.headers.location);
      if (bytes.length > 0) {
        const sent = await append(id, 0, bytes);
        if (sent.statusCode !== 204) throw new Error(sent.body);
      }
      const finished = await finish(id);
      if (finished.statusCode !== 200) throw new Error(finished.body);
      return finished.json<{ data: Resource }>().data;
    },
    list: async (query = '') => (await person.get(`${base}/items${query}`)).json<{ data: { rows: Resource[]; after: string | null; total: number } }>().data,
    read: async (id: string) => (await person.get(`${base}/items/${id}`)).json<{ data: Resource }>().data,
    get: (path: string, headers = {}) => person.get(`${base}/${path}`, headers),
    post: (path: string, body: object) => person.send('POST', `${base}/${path}`, body),
    change: (id: string, revision: number, body: object) => person.send('PATCH', `${base}/items/${id}`, body, { 'if-match': `"${revision}"` }),
  };
}
export type ResourceClient = ReturnType<typeof resourceClient>;
