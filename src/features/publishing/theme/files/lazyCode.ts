import { lazyWithRetry } from '@/ui/lazyWithRetry';

/** CodeMirror is a part of its own, which loads when a file is opened. */
export const LazyCodeEditor = lazyWithRetry(() => import(/* webpackChunkName: "theme-code" */ '../code/CodeEditor'));
export const LazyCodeDifference = lazyWithRetry(() => import(/* webpackChunkName: "theme-code" */ '../code/CodeDifference'));
