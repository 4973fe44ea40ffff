import nav from '@/routes/messages.zh-CN';
import shell from '@/routes/shell/messages.zh-CN';
import ui from '@/ui/messages.zh-CN';
import type { CoreMessages } from './namespaces';

export { namespaces } from './namespaces.zh-CN';
export default { nav, shell, ui } satisfies CoreMessages;
