import { Icon } from './Icon';

/** The only arrow head of the console: on menus and selects it points down, on folded parts right, on paging left and right. */
export const Caret = ({ to = 'down', size = 16, className }: { to?: 'down' | 'up' | 'left' | 'right'; size?: number; className?: string }) => (
  <Icon name={to} size={size} className={className} />
);
