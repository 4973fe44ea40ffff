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
  root.lang = remembered('locale') === 'en' ? 'en' : 'zh-CN';
})();
