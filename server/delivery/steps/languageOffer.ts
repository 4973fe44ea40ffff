import { offerPath, offerScript } from '../languageOffer';
import { encodePage } from '../pageCache';
import type { CachedPage } from '../pageCache';
import { responseOf } from '../stored';
import type { EditionStep } from '../step';

let encoded: Promise<CachedPage> | null = null;

const encode = (): Promise<CachedPage> =>
  encodePage(200, offerScript, { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'public, max-age=3600' });

/** The script that offers visitors their language, compressed once. */
export const languageOffer: EditionStep = (delivery) =>
  delivery.path === offerPath ? (encoded ??= encode()).then((script) => responseOf(delivery, script)) : null;
