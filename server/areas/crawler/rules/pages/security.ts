import type { PageRuleGroup } from './group';

const subresources: ReadonlySet<string> = new Set(['image', 'style', 'script', 'frame', 'media', 'manifest']);
const isInsecure = (url: string): boolean => /^http:\/\//i.test(url);

export const securityRules: PageRuleGroup = ({ facts, links, address, isPage, report }) => {
  if (!isPage) return;
  if (address.protocol === 'https:') {
    const mixed = [...new Set([...links.filter(({ kind }) => subresources.has(kind)), ...facts.images].map(({ url }) => url).filter(isInsecure))];
    if (mixed[0] !== undefined) report('security_mixed', { count: mixed.length, url: mixed[0] });
    const form = facts.forms.find(({ action }) => isInsecure(action));
    if (form) report('security_form', { url: form.action });
  }
  const secret = facts.secrets[0];
  if (secret) report('security_leak', { kind: secret.kind, excerpt: secret.excerpt });
};
