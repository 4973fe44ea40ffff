import { createSlice } from '@reduxjs/toolkit';
import type { PayloadAction } from '@reduxjs/toolkit';
import type { Resource } from '@contract/resources/schemas';
import type { ApiFailure } from '@/lib/failure';
import type { RootState } from '@/store';
import { injectSlice } from '@/store/rootReducer';

/**
 * `checking`: the file is hashed and looked for among those of the site. `offline`: sending goes on as soon as the server can be reached. `interrupted`: began on
 * an earlier visit to this browser, and needs its file again. `known`: the site had the file already, nothing was sent.
 */
export type UploadStatus = 'waiting' | 'checking' | 'sending' | 'offline' | 'finishing' | 'paused' | 'failed' | 'interrupted' | 'done' | 'known';
export type Upload = {
  readonly id: string;
  readonly siteId: string;
  readonly name: string;
  /** Size of the file, and how much of it has been sent, in bytes. */
  readonly bytes: number;
  readonly sent: number;
  readonly folderId: string | null;
  /** The resource whose content it replaces. */
  readonly replaces: string | null;
  readonly status: UploadStatus;
  readonly failure: ApiFailure | null;
  /** What the file has become. */
  readonly resource: Resource | null;
};

type State = { list: Upload[] };
const initialState: State = { list: [] };

/** Uploads of this tab, on whatever page they were started. The files themselves are in the queue (`uploadQueue.ts`). */
export const uploadsSlice = createSlice({
  name: 'uploads',
  initialState,
  reducers: {
    uploadsAdded: (state, { payload }: PayloadAction<readonly Upload[]>) => {
      state.list.push(...payload);
    },
    uploadChanged: (state, { payload }: PayloadAction<Pick<Upload, 'id'> & Partial<Upload>>) => {
      const at = state.list.findIndex(({ id }) => id === payload.id);
      const before = state.list[at];
      if (before) state.list[at] = { ...before, ...payload };
    },
    uploadsRemoved: (state, { payload }: PayloadAction<readonly string[]>) => {
      const ids = new Set(payload);
      state.list = state.list.filter(({ id }) => !ids.has(id));
    },
  },
});

export const { uploadsAdded, uploadChanged, uploadsRemoved } = uploadsSlice.actions;

declare module '@/store/rootReducer' {
  interface LazySlices {
    uploads: State;
  }
}
injectSlice(uploadsSlice);

/** The slice loads with the first upload. */
const none: readonly Upload[] = [];
export const selectUploads = (root: RootState): readonly Upload[] => root.uploads?.list ?? none;

export const isComplete = ({ status }: Upload): boolean => status === 'done' || status === 'known';
/** Whether it goes on by itself, so that leaving the page would stop it. */
export const isActive = ({ status }: Upload): boolean =>
  status === 'waiting' || status === 'checking' || status === 'sending' || status === 'offline' || status === 'finishing';
/** Whether it can be paused: nothing of it is being added on the server. */
export const canPause = ({ status }: Upload): boolean => status === 'waiting' || status === 'sending' || status === 'offline';
