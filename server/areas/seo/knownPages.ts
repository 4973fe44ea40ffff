import { normalizePath } from '../../../contract/paths';
import { routesOf } from '../publishing';
import { seoLimits } from '../../../contract/seo/terms';
import type { Context } from '../../context';
import { DAY } from '../../zone';
import { openSiteContent } from '../tables';

/** An address of a site that is in use. `title`: as visitors or the record have it; may be empty. `visits`: of people, in the last 90 days. */
export type KnownPage = { readonly path: string; readonly title: string; readonly visits: number };
