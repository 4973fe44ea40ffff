import { machineLanguages as languagesOf } from '../../areas/seo';
import type { PageContext } from '../edition';
import { collectionOf } from './records';
import type { CollectionRoute } from './records';

/** Languages by record in which search engines may not index its page, because a machine translated what it shows. */
export const machineLanguages = ({ release, ...context }: PageContext, route: CollectionRoute, ids: readonly string[]): ReturnType<typeof languagesOf> =>
  languagesOf(
    { ...context, languages: release.languages, noindexMachine: release.languageRules.noindexMachine },
    route,
    collectionOf({ release }, route.collection)?.fields ?? {},
    ids,
  );
