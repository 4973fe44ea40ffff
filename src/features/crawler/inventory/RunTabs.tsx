import type { ComponentType, ReactElement } from 'react';
import { CompareTab } from './CompareTab';
import { IssuesTab } from './IssuesTab';
import { LinksTab } from './LinksTab';
import { PagesTab } from './PagesTab';
import type { RunProps } from './run';

const contents = { issues: IssuesTab, pages: PagesTab, links: LinksTab, compare: CompareTab } satisfies Readonly<Record<string, ComponentType<RunProps>>>;
type Tab = keyof typeof contents;

/** What one run found, by tab of the page of its crawler. */
export default function RunTabs({ tab, ...run }: RunProps & { readonly tab: Tab }): ReactElement {
  const Content = contents[tab];
  return <Content key={run.runId} {...run} />;
}
