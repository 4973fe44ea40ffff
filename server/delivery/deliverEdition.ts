import type { Edition } from './edition';
import { firstOf } from './firstOf';
import type { DeliveryResponse } from './response';
import type { Delivery, EditionStep } from './step';
import { card } from './steps/card';
import { feed } from './steps/feed';
import { formerSlugs } from './steps/formerSlugs';
import { icon } from './steps/icon';
import { language, withLanguageVary } from './steps/language';
import { languageOffer } from './steps/languageOffer';
import { llms } from './steps/llms';
import { machines } from './steps/machines';
import { notFoundPage } from './steps/notFound';
import { page } from './steps/page';
import { redirects } from './steps/redirects';
import { robots } from './steps/robots';
import { sitemap } from './steps/sitemap';
import { themeFile } from './steps/themeFile';

/** Of a release or the working copy, in order of evaluation. */
const steps: readonly EditionStep[] = [redirects, language, robots, sitemap, llms, feed, icon, card, themeFile, languageOffer, machines, page, formerSlugs];

/** Response to a path of a release or of the working copy. */
export const deliverEdition = async (delivery: Delivery, edition: Edition): Promise<DeliveryResponse> =>
  withLanguageVary(delivery, edition, (await firstOf(steps, delivery, edition)) ?? (await notFoundPage(delivery, edition)));
