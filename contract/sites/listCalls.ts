import { calls } from '../call';

/** Calls of the pages that list and create sites. Apart from `siteCalls`, which the console loads first. */
export const listCalls = /* #__PURE__ */ calls({
  figures: 'GET /api/core/sites/figures',
  sitePinyin: 'GET /api/core/sites/pinyin',
  changeSites: 'POST /api/core/sites/changes',
  bin: 'GET /api/core/sites/bin',
  slug: 'GET /api/core/sites/slug',
});
