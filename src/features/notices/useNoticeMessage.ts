import { useTranslation } from 'react-i18next';
import type { NoticeMessage } from './noticesSlice';

type Say = (key: string, values?: Readonly<Record<string, string | number>>) => string;

/** A notice in the current language of the interface, even if it was first shown in another one. */
export function useNoticeMessage(): (message: NoticeMessage) => string {
  const { t } = useTranslation();
  // A notice's key is data, checked where it is created; the typed `t` cannot check it.
  const say = t as unknown as Say;
  return (message) => ('text' in message ? message.text : say(message.key, message.values));
}
