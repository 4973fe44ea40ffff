import type { RouteNode } from './types';

/** Tools over all sites of the person: the screens ask for the sites that the person may see. */
export const developerRoutes = {
  id: 'developer',
  path: 'developer',
  title: 'developer',
  redirect: 'webcv',
  children: [
    {
      id: 'developer.webcv',
      path: 'webcv',
      title: 'webcv',
      load: () => import(/* webpackChunkName: "vitals" */ '@/features/vitals/VitalsPage'),
      chunk: 'vitals',
      messages: ['vitals', 'insights', 'chart', 'form'],
      skeleton: 'report',
      nav: { group: 'developer', icon: 'passed' },
    },
  ],
} as const satisfies RouteNode;
