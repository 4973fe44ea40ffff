import { offerPath, offerScript } from '../languageOffer';
import { plainResponse } from '../response';
import type { EditionStep } from '../step';

/** The script that offers visitors their language. */
export const languageOffer: EditionStep = ({ path }) =>
  path === offerPath
    ? {
        ...plainResponse(200, offerScript, {}),
        headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'public, max-age=3600' },
      }
    : null;
