import nav from '@/routes/messages.en';
import shell from '@/routes/shell/messages.en';
import ui from '@/ui/messages.en';

export { namespaces } from './namespaces.en';
export default { nav, shell, ui };
