import type { Resource } from '../../contract/resources/schemas';
import type { Answer } from './fakeServer';

/** Lets a test upload files without a network: each is hashed, and the site has it already. Returns the answer to `POST …/resource/known`. */
export function knownFiles(siteHas: (body: { readonly name: string }) => Resource | Answer): Answer {
  class HashWorker extends EventTarget {
    postMessage({ id }: { readonly id: number }): void {
      queueMicrotask(() => this.dispatchEvent(new MessageEvent('message', { data: { id, sha256: 'f'.repeat(64) } })));
    }
  }
  Object.assign(globalThis, { Worker: HashWorker });
  return async (request) => {
    const found = siteHas((await request.json()) as { readonly name: string });
    return 'sha256' in found ? { data: { resource: found } } : found;
  };
}
