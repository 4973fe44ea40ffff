import type { Config } from '../../config';
import { systemHostFor } from '../sites';

/** Where the records of a site's hostnames have to lead. */
export type Target = {
  /** The system host, for CNAME records. */
  readonly name: string;
  /** Addresses of the delivery listener; empty: those of the system host. */
  readonly ipv4: readonly string[];
  readonly ipv6: readonly string[];
};

export const targetFor = (config: Pick<Config, 'deliveryPort' | 'sitesUrl' | 'sitesAddresses'>, { slug }: { readonly slug: string }): Target => ({
  name: new URL(systemHostFor(slug, config)).hostname,
  ipv4: config.sitesAddresses.filter((address) => !address.includes(':')),
  ipv6: config.sitesAddresses.filter((address) => address.includes(':')),
});
