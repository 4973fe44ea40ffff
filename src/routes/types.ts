import type { ComponentType } from 'react';
import type { InstanceAction, SiteAction } from '@contract/permissions';
import type { Namespace } from '@/i18n/namespaces';
import type nav from './messages.zh-CN';
import type { IconName } from '@/ui/Icon';
import type { SkeletonKind } from '@/ui/skeletons';

type Nav = typeof nav;
/** Keys of the `nav` messages that are the name of one route. */
export type TitleKey = { [K in keyof Nav]: Nav[K] extends string ? K : never }[keyof Nav];

/** The group of a route in the rail. */
export type NavGroup = 'main' | keyof Nav['group'];

/** Reports that share one entry of the rail and are tabs of each other's pages. */
export type ReportGroup = keyof Nav['reportGroup'];

/** One route. The tree of routes drives the router, the rail, breadcrumbs, titles, the palette, typed links and prefetching. */
export type RouteNode = {
  /** `site.als.trend`: unique, used by `href()`. */
  readonly id: string;
  /** Relative to the parent; may have several segments. */
  readonly path: string;
  readonly title?: TitleKey;
  /** The page at this address. Pages appear only inside `import()`. */
  readonly load?: () => Promise<{ readonly Component: ComponentType }>;
  /** The name in the `webpackChunkName` of `load`: the build lists the files of that part for fetching ahead. */
  readonly chunk?: string;
  /** Instead of a page: the child to redirect to. With `keepQuery` the query string is preserved. */
  readonly redirect?: string;
  readonly keepQuery?: true;
  /** The page itself does without MUI, whose parts load with what it opens. Its children may need it; its parent, if any, is plain too. */
  readonly plain?: true;
  /** Message namespaces that the page needs. */
  readonly messages?: readonly Namespace[];
  /** The skeleton shown while the part loads. Absent: that of a list. */
  readonly skeleton?: Exclude<SkeletonKind, 'list'>;
  /** The id of the node that has replaced this one; its address, query string included, redirects there. */
  readonly movedTo?: string;
  /** `level: 2` is below its parent in the rail. Nodes with the same `tabs` share one entry there, and are tabs of each other's pages. */
  readonly nav?: { readonly group: NavGroup; readonly icon?: IconName; readonly shortcut?: string; readonly level?: 2; readonly tabs?: ReportGroup };
  /** Hidden without this permission, on the site of the address or on any site; the server checks it anyway. */
  readonly needs?: { readonly instance: InstanceAction } | { readonly site: SiteAction } | { readonly anySite: SiteAction };
  /** `form` is 720 px wide, `full` uses the rest of the window (a workbench). Absent: the whole column. */
  readonly width?: 'form' | 'full';
  readonly children?: readonly RouteNode[];
};
