/** The first character of a site's name in place of an icon; the product's logo if the name is empty. */
export const SiteMark = ({ name, size = 26 }: { name: string; size?: number }) => (
  <span className="site-mark" aria-hidden="true" style={{ width: size, height: size, fontSize: size * 0.5 }}>
    {name === '' ? (
      <svg width={size * 0.62} height={size * 0.62} viewBox="7 8 18 16" fill="currentColor">
        <path d="M7 8h18v3.4H7zM7 24v-6.6h3.6V24zM14.2 24V14.6h3.6V24zM21.4 24v-4.2H25V24z" />
      </svg>
    ) : (
      [...name][0]?.toUpperCase()
    )}
  </span>
);
