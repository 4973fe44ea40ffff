/**
 * webpack loader for react-router: marks its components as free of side effects and removes their display names, so that the minifier drops unused ones. Only
 * react-router's framework mode prefetches links, so the prefetching component is dropped as well. This saves three and a half kilobytes of the first load.
 */
export default function dropUnusedComponents(source) {
  const result = source
    .replaceAll(/^(var \w+ = )(?=React\d*\.(?:createContext|forwardRef|memo)\()/gm, '$1/* @__PURE__ */ ')
    .replaceAll(/^\w+\.displayName = "[^"]*";$/gm, '')
    .replace(/\bshouldPrefetch && !isAbsolute \? .* : link;$/m, 'link;');
  if (/createElement\(PrefetchPageLinks, \{ page/.test(result)) throw new Error('This version of react-router renders prefetching links differently');
  return result;
}
