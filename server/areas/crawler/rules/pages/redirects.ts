import type { PageRuleGroup } from './group';

/** Redirects by the page itself; those by status are compared with others after the run. */
export const redirectRules: PageRuleGroup = ({ page, facts, isPage, report }) => {
  const { refresh } = facts;
  if (isPage && refresh !== null && refresh.url !== '' && refresh.url !== page.url) report('redirect_meta', { url: refresh.url, seconds: refresh.seconds });
};
