import type nav from '@/routes/messages.zh-CN';
import type shell from '@/routes/shell/messages.zh-CN';
import type ui from '@/ui/messages.zh-CN';
import type { namespaces } from './namespaces.zh-CN';

/** Fetches the words of one namespace in one language. A new one is a row of `namespaces.zh-CN.ts` and one of `namespaces.en.ts`. */
export type Load = () => Promise<{ readonly default: object }>;
type Loaders = typeof namespaces;

/** Words of the frame, in the first load. */
export type CoreMessages = { nav: typeof nav; shell: typeof shell; ui: typeof ui };
export type Namespace = keyof Loaders;
type Words<N extends Namespace> = Awaited<ReturnType<Loaders[N]>>['default'];
export type Resources = CoreMessages & { [N in Namespace]: Words<N> };
