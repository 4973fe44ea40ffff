export const bundledNames: Readonly<Record<string, string>>;
export function bundlePackages(): Promise<void>;
