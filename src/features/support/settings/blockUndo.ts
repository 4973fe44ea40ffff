import { defineUndo } from '@/features/notices/undoListeners';
import { supportApi } from '../supportApi';

type Block = { readonly siteId: string; readonly id: string };

export const offerBlockUndo = defineUndo<Block>('support/blockUndone', (dispatch, args) =>
  dispatch(supportApi.endpoints.removeSupportBlock.initiate(args, { track: false })),
);
export const offerUnblockUndo = defineUndo<Block>('support/blockRemovalUndone', (dispatch, args) =>
  dispatch(supportApi.endpoints.restoreSupportBlock.initiate(args, { track: false })),
);
