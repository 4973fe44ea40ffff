/** The mark is a page whose text is a chart. public/favicon.svg draws the same; a test compares them. `size` in px. */
export const LogoMark = ({ size = 24 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <rect width="32" height="32" rx="6" fill="var(--n-8)" />
    <path d="M7 8h18v3.4H7zM7 24v-6.6h3.6V24zM14.2 24v-9.4h3.6V24zM21.4 24v-4.2H25V24z" fill="var(--n-0)" />
  </svg>
);
