import { nanoid } from '@reduxjs/toolkit';
import type { Resource } from '@contract/resources/schemas';
import { isPassing } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import type { AppStore } from '@/store';
import { follow } from './follow';
import type { UploadedFiles } from './follow';
import { canPause, isComplete, selectUploads, uploadChanged, uploadsAdded, uploadsRemoved } from './uploadsSlice';
import type { Upload } from './uploadsSlice';

export type NewUpload = { readonly file: File; readonly name: string; readonly folderId: string | null; readonly replaces?: string };
type Failed = { readonly failure: ApiFailure };
export type FileToSend = { readonly upload: Upload; readonly file: File; /** null: too large to be hashed. */ readonly sha256: string | null };

/** The steps of an upload. Those that take a signal stop when it is aborted, and then resolve to anything. */
export type UploadSteps = {
  /** SHA-256 in hexadecimal digits; null if the file is too large to be hashed. */
  readonly hash: (file: File, signal: AbortSignal) => Promise<string | null>;
  /** Adds a file that the site already has; null if it has not. */
  readonly addKnown: (upload: Upload, sha256: string) => Promise<{ readonly resource: Resource | null } | Failed>;
  /** Sends what the server does not have yet. `onProgress`: bytes that it has. */
  readonly send: (file: FileToSend, onProgress: (sent: number) => void, signal: AbortSignal) => Promise<{ readonly uploadId: string } | Failed>;
  readonly finish: (upload: Upload, uploadId: string) => Promise<{ readonly resource: Resource } | Failed>;
  /** Removes what the server has of a file. */
  readonly discard: (file: FileToSend) => Promise<void>;
  /** Waits before the next attempt to reach the server. */
  readonly wait: (signal: AbortSignal) => Promise<void>;
};

/** What belongs to an upload and cannot be in the store. */
type Task = {
  readonly file: File;
  controller: AbortController | null;
  sha256?: string | null;
  /** Set once the server has everything. */
  uploadId?: string;
};
type Added = { readonly resource: Resource; readonly known: boolean };

/** Files on their way to the server, a few at a time. Their state is in the store; each upload can be paused, resumed and cancelled. */
export class UploadQueue {
  readonly #tasks = new Map<string, Task>();
  readonly #followers = new Set<() => void>();
  readonly #store: AppStore;
  readonly #steps: UploadSteps;
  readonly #parallel: number;
  constructor(store: AppStore, steps: UploadSteps, parallel = 3) {
    this.#store = store;
    this.#steps = steps;
    this.#parallel = parallel;
  }

  /**
   * Uploads files into a site. Of an interrupted upload that is among them, the rest is sent. `onUploaded` receives what they have become as soon as none of them
   * is under way any more, and once more when files that had failed or were paused have been uploaded after all.
   */
  add(siteId: string, files: readonly NewUpload[], onUploaded?: (uploaded: UploadedFiles) => void): void {
    const interrupted = this.#list().filter((one) => one.status === 'interrupted' && one.siteId === siteId);
    const resumed = interrupted.filter((one) => files.some(({ file, name }) => name === one.name && file.size === one.bytes)).map(({ id }) => id);
    if (resumed.length > 0) this.#store.dispatch(uploadsRemoved(resumed));
    const uploads = files.map(({ file, name, folderId, replaces = null }): Upload => {
      const id = nanoid();
      this.#tasks.set(id, { file, controller: null });
      return { id, siteId, name, bytes: file.size, sent: 0, folderId, replaces, status: 'waiting', failure: null, resource: null };
    });
    this.#store.dispatch(uploadsAdded(uploads));
    if (onUploaded) {
      const ids = uploads.map(({ id }) => id);
      const stop = follow(this.#store, ids, onUploaded, () => this.#followers.delete(stop));
      this.#followers.add(stop);
    }
    this.#startWaiting();
  }

  /** Lists uploads of an earlier visit, which `add` resumes when it receives their files. */
  addInterrupted(uploads: readonly Upload[]): void {
    const listed = new Set(this.#list().map(({ id }) => id));
    const added = uploads.filter(({ id, name, bytes }) => !listed.has(id) && !this.#list().some((one) => one.name === name && one.bytes === bytes));
    if (added.length > 0) this.#store.dispatch(uploadsAdded(added));
  }

  pause(ids: readonly string[]): void {
    for (const upload of this.#find(ids).filter(canPause)) {
      this.#stop(upload.id);
      this.#change(upload.id, { status: 'paused' });
    }
    this.#startWaiting();
  }

  /** Resumes paused uploads, and tries failed ones again. */
  resume(ids: readonly string[]): void {
    for (const { id, status } of this.#find(ids)) if (status === 'paused' || status === 'failed') this.#change(id, { status: 'waiting', failure: null });
    this.#startWaiting();
  }

  /** Stops uploads and removes them from the list, and what was sent of them from the server. Completed ones are only removed from the list. */
  cancel(ids: readonly string[]): void {
    for (const upload of this.#find(ids)) {
      const task = this.#tasks.get(upload.id);
      this.#stop(upload.id);
      this.#tasks.delete(upload.id);
      if (task && !isComplete(upload)) void this.#steps.discard({ upload, file: task.file, sha256: task.sha256 ?? null });
    }
    this.#store.dispatch(uploadsRemoved(ids));
    this.#startWaiting();
  }

  /** Stops everything and forgets the files, because the person has signed out; what was sent stays, and can be resumed. */
  stopAll(): void {
    for (const stop of this.#followers) stop();
    this.#followers.clear();
    for (const id of this.#tasks.keys()) this.#stop(id);
    this.#tasks.clear();
    this.#store.dispatch(uploadsRemoved(this.#list().map(({ id }) => id)));
  }

  #list = (): readonly Upload[] => selectUploads(this.#store.getState());
  #find = (ids: readonly string[]): readonly Upload[] => this.#list().filter(({ id }) => ids.includes(id));
  #change = (id: string, change: Partial<Upload>): void => void this.#store.dispatch(uploadChanged({ id, ...change }));

  #stop(id: string): void {
    const task = this.#tasks.get(id);
    task?.controller?.abort();
    if (task) task.controller = null;
  }

  #startWaiting(): void {
    const running = [...this.#tasks.values()].filter(({ controller }) => controller !== null).length;
    const waiting = this.#list().filter(({ id, status }) => status === 'waiting' && this.#tasks.get(id)?.controller === null);
    for (const upload of waiting.slice(0, Math.max(0, this.#parallel - running))) void this.#run(upload);
  }

  async #run(upload: Upload): Promise<void> {
    const task = this.#tasks.get(upload.id);
    if (!task) return;
    const controller = new AbortController();
    const { signal } = controller;
    task.controller = controller;
    for (;;) {
      const result = await this.#attempt(upload, task, signal);
      // Paused or cancelled: the list says so already.
      if (signal.aborted) return;
      if ('resource' in result) {
        this.#change(upload.id, { status: result.known ? 'known' : 'done', sent: upload.bytes, resource: result.resource });
        break;
      }
      if (!isPassing(result.failure)) {
        this.#change(upload.id, { status: 'failed', failure: result.failure });
        break;
      }
      this.#change(upload.id, { status: 'offline' });
      await this.#steps.wait(signal);
      if (signal.aborted) return;
    }
    task.controller = null;
    this.#startWaiting();
  }

  async #attempt(upload: Upload, task: Task, signal: AbortSignal): Promise<Added | Failed> {
    const steps = this.#steps;
    if (task.uploadId === undefined) {
      this.#change(upload.id, { status: 'checking' });
      task.sha256 ??= await steps.hash(task.file, signal);
      if (signal.aborted) return aborted;
      // A replacement is sent even if another resource has this content: only a complete upload can replace.
      if (task.sha256 !== null && upload.replaces === null) {
        const found = await steps.addKnown(upload, task.sha256);
        if ('failure' in found) return found;
        if (found.resource) return { resource: found.resource, known: true };
        if (signal.aborted) return aborted;
      }
      this.#change(upload.id, { status: 'sending' });
      const onProgress = (sent: number): void => void (!signal.aborted && this.#change(upload.id, { sent }));
      const sent = await steps.send({ upload, file: task.file, sha256: task.sha256 }, onProgress, signal);
      if ('failure' in sent || signal.aborted) return 'failure' in sent ? sent : aborted;
      task.uploadId = sent.uploadId;
    }
    this.#change(upload.id, { status: 'finishing', sent: upload.bytes });
    const finished = await steps.finish(upload, task.uploadId);
    return 'failure' in finished ? finished : { resource: finished.resource, known: false };
  }
}

const aborted: Failed = { failure: { kind: 'aborted', method: '', url: '', status: 0, message: '' } };
