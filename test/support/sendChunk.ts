import type { LightMyRequestResponse } from 'fastify';
import type { Person } from './app';

/** Sends a chunk of an upload to its address, as the console does (tus). */
export const sendChunk = (by: Pick<Person, 'send'>, address: string, offset: number, chunk: Buffer): Promise<LightMyRequestResponse> =>
  by.send('PATCH', address, chunk, { 'tus-resumable': '1.0.0', 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' });
