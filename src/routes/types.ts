import type { ComponentType } from 'react';
import type { InstanceAction, SiteAction } from '@contract/permissions';
import type { Namespace } from '@/i18n/namespaces';
import type nav from './messages.zh-CN';
import type { IconName } from '@/ui/Icon';
import type { SkeletonKind } from '@/ui/skeletons';

type Nav = typeof nav;
/** Keys of the `nav` messages that name one route. */
export type TitleKey = { [K in keyof Nav]: Nav[K] extends string ? K : never }[keyof Nav];

/** Where a route stands in the rail. A site's sections: look 看, make 做, manage 管. */
export type NavGroup = 'main' | keyof Nav['group'];

/** One route. The tree of these drives the router, the rail, breadcrumbs, titles, the palette, typed links and the list of parts to fetch ahead. */
export type RouteNode = {
  /** `site.als.trend`: unique, used by `href()`. */
  readonly id: string;
  /** Relative to the parent; may have several segments. */
  readonly path: string;
  readonly title?: TitleKey;
  /** The page at this very address. Pages appear only inside `import()`. */
  readonly load?: () => Promise<{ readonly Component: ComponentType }>;
  /** The name in the `webpackChunkName` of `load`: the build lists the files of that part for fetching ahead. */
  readonly chunk?: string;
  /** Instead of a page: the child to go to. With `keepQuery` the query string goes along. */
  readonly redirect?: string;
  readonly keepQuery?: true;
  /** Namespaces whose words the page needs. */
  readonly messages?: readonly Namespace[];
  /** The shape that stands there while the part loads. */
  readonly skeleton?: SkeletonKind;
  /** `level: 2` stands below its parent in the rail, under the heading `sub`. */
  readonly nav?: { readonly group: NavGroup; readonly icon?: IconName; readonly shortcut?: string; readonly level?: 2; readonly sub?: keyof Nav['alsGroup'] };
  /** Hidden from those who may not; the server refuses them anyway. */
  readonly needs?: { readonly instance: InstanceAction } | { readonly site: SiteAction };
  /** `form` stays at 720 px, `wide` uses the whole column, `full` all that is left of the window (a workbench). */
  readonly width?: 'form' | 'wide' | 'full';
  readonly children?: readonly RouteNode[];
};
