import { hashBlob } from './hashBlob';

type Request = { readonly id: number; readonly blob: Blob };

/** Hashes files one after the other, so that the page stays responsive. */
let last: Promise<unknown> = Promise.resolve();
addEventListener('message', ({ data: { id, blob } }: MessageEvent<Request>) => {
  const hash = last.then(() => hashBlob(blob));
  last = hash.catch(() => undefined);
  void hash.then(
    (sha256) => postMessage({ id, sha256 }),
    () => postMessage({ id, sha256: null }),
  );
});
