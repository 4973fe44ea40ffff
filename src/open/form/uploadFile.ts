import { tableFormCalls } from '@contract/tables/calls';
import type { OpenForm } from '@contract/tables/forms';
import type { UiLocale } from '@/lib/preferences';
import type { Link } from '../call';
import { longestWait, mostTries, pause } from './send';

/** `refused`: beyond the storage limits of the site; `wrongType`: by its content, or because of malware; `later`: the limits of an hour or a day are reached. */
export type UploadResult = { readonly ok: true; readonly file: string } | { readonly ok: false; readonly why: 'refused' | 'wrongType' | 'later' | 'failed' };

type Uploading = {
  readonly link: Link;
  readonly locale: UiLocale;
  readonly stamp: string;
  readonly field: string;
  readonly file: File;
  readonly onProgress: (share: number) => void;
  /** Refetches the form; null where it no longer accepts answers. */
  readonly onAsk: () => Promise<OpenForm | null>;
};

/** Uploads a file for a field, and again where a short wait or a new stamp helps. */
export async function uploadFile({ link, locale, stamp: first, field, file, onProgress, onAsk }: Uploading): Promise<UploadResult> {
  let stamp = first;
  // As the server limits names.
  const name = Array.from(file.name.normalize('NFC')).slice(-200).join('').trim() || 'file';
  for (let tries = 1; tries <= mostTries; tries++) {
    const path = `${tableFormCalls.addFormFile.path}?${new URLSearchParams({ field, name, stamp }).toString()}`;
    const result = await link.upload<{ readonly file: string }>(path, locale, file, onProgress);
    if (result.ok) return { ok: true, file: result.data.file };
    if (result.status === 413) return { ok: false, why: 'refused' };
    if (result.status === 429) {
      if (result.retryAfter > longestWait) return { ok: false, why: 'later' };
      await pause(result.retryAfter);
    } else if (result.status === 422 && 'stamp' in result.fields) {
      const fresh = await onAsk();
      if (!fresh) break;
      ({ stamp } = fresh);
      await pause(2);
    } else return { ok: false, why: result.status === 422 && 'file' in result.fields ? 'wrongType' : 'failed' };
  }
  return { ok: false, why: 'failed' };
}
