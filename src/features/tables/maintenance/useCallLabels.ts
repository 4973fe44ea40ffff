import { useTranslation } from 'react-i18next';
import type { Operation } from './openApi';
import type words from './messages.zh-CN';

type Api = (typeof words)['api'];

/** What a call does, in the reader's language; a call without a message keeps the document's own summary. */
export function useCallLabel(): (operation: Pick<Operation, 'call' | 'summary'>) => string {
  const { t } = useTranslation('tableAdmin');
  return ({ call, summary }) => t(`api.call.${call as keyof Api['call']}`, { defaultValue: summary });
}
/** The description of a parameter; empty where there is no message for it. */
export function useParameterDescription(): (name: string) => string {
  const { t } = useTranslation('tableAdmin');
  return (name) => t(`api.param.${name as keyof Api['param']}`, { defaultValue: '' });
}
