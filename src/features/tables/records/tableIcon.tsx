import Article from '@mui/icons-material/ArticleOutlined';
import Group from '@mui/icons-material/GroupOutlined';
import Help from '@mui/icons-material/HelpOutlineOutlined';
import Inventory from '@mui/icons-material/Inventory2Outlined';
import Table from '@mui/icons-material/TableChartOutlined';
import Web from '@mui/icons-material/WebOutlined';
import type { ReactElement } from 'react';

/** Icon names of templates; any other name gets the default table icon. */
const icons: Record<string, typeof Table> = {
  article: Article,
  articles: Article,
  inventory: Inventory,
  products: Inventory,
  web: Web,
  pages: Web,
  help: Help,
  faq: Help,
  group: Group,
  team: Group,
};

export const TableIcon = ({ icon, size = 18 }: { readonly icon: string; readonly size?: number }): ReactElement => {
  const Drawn = icons[icon] ?? Table;
  return <Drawn style={{ fontSize: size }} />;
};
