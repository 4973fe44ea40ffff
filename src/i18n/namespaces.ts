import type nav from '@/routes/messages.zh-CN';
import type shell from '@/routes/shell/messages.zh-CN';
import type ui from '@/ui/messages.zh-CN';
import type { namespaces } from './namespaces.zh-CN';

/** Loads the messages of one namespace in one language. A new namespace needs a row in `namespaces.zh-CN.ts` and in `namespaces.en.ts`. */
export type Load = () => Promise<{ readonly default: object }>;
type Loaders = typeof namespaces;

/** Messages of the frame, in the first load. */
export type CoreMessages = { nav: typeof nav; shell: typeof shell; ui: typeof ui };
export type Namespace = keyof Loaders;
type MessagesOf<N extends Namespace> = Awaited<ReturnType<Loaders[N]>>['default'];
export type Resources = CoreMessages & { [N in Namespace]: MessagesOf<N> };
