import { directionOf, languages, nameOfLanguage } from './list';

test('languages that the list lacks have a name and a direction', () => {
  expect(['es-MX', 'zh-Hans', 'ar'].map(nameOfLanguage)).toEqual(['Español de México', '简体中文', 'العربية']);
  expect(['ar-EG', 'pa-Arab', 'pa', 'en', 'x'].map(directionOf)).toEqual(['rtl', 'rtl', 'ltr', 'ltr', 'ltr']);
  expect(languages().flatMap(({ code, dir }) => (dir === 'rtl' ? [code] : []))).toEqual(['ar', 'ur', 'fa', 'he', 'ug']);
});
