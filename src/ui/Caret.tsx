const paths = { down: 'M5.5 8l4.5 4.5L14.5 8', up: 'M5.5 12 10 7.5l4.5 4.5', right: 'M8 5.5l4.5 4.5L8 14.5', left: 'M12 5.5 7.5 10l4.5 4.5' } as const;

/** The only arrow head of the console: on menus and selects it points down, on folded parts right, on paging left and right. */
export const Caret = ({ to = 'down', size = 16, className = '' }: { to?: keyof typeof paths; size?: number; className?: string }) => (
  <svg className={`icon ${className}`} width={size} height={size} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
    <path d={paths[to]} />
  </svg>
);
