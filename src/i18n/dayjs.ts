import dayjs from 'dayjs';
import 'dayjs/locale/zh-cn';
import { currentLocale, i18n } from './index';

/** Dates in the language of the interface, Chinese ones with Chinese weeks. Imported by the parts that use dayjs, so that the first load does without. */
const follow = (): void => void dayjs.locale(currentLocale() === 'en' ? 'en' : 'zh-cn');
follow();
i18n.on('languageChanged', follow);

export { dayjs };
