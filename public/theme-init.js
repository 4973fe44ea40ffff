// Before the first paint: the scheme, the colour and the language that this browser was last set to. A file, not an inline script, because the page's policy has none.
(function () {
  var root = document.documentElement;
  function remembered(name) {
    try {
      return localStorage.getItem('console:' + name);
    } catch (error) {
      return null;
    }
  }
  var scheme = remembered('scheme');
  var dark = scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.setAttribute('data-scheme', dark ? 'dark' : 'light');
  if (remembered('primary') === 'blue') root.setAttribute('data-primary', 'blue');
  var locale = remembered('locale');
  // Nothing chosen yet: of Chinese and English the one that the browser's reader prefers, as in `src/lib/preferences.ts`.
  if (locale !== 'en' && locale !== 'zh-CN') {
    var known = navigator.languages.filter(function (language) {
      return /^(zh|en)\b/i.test(language);
    });
    locale = /^en/i.test(known[0] || '') ? 'en' : 'zh-CN';
  }
  root.lang = locale;
})();
