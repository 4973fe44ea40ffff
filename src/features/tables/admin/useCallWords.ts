import { useTranslation } from 'react-i18next';
import type { Operation } from './operations';
import type words from './messages.zh-CN';

type Api = (typeof words)['api'];

/** What a call does, in the reader's language; of one that is newer than these words, the document's own. */
export function useCallWords(): (operation: Pick<Operation, 'call' | 'summary'>) => string {
  const { t } = useTranslation('tableAdmin');
  return ({ call, summary }) => t(`api.call.${call as keyof Api['call']}`, { defaultValue: summary });
}
/** What a parameter means; empty where there are no words. */
export function useParameterWords(): (name: string) => string {
  const { t } = useTranslation('tableAdmin');
  return (name) => t(`api.param.${name as keyof Api['param']}`, { defaultValue: '' });
}
