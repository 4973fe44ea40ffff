/** Crawlee, installed by run.ts into the folder that this file is copied to. Arguments: address, pages, `cheerio` or `http`. */
const [, , origin, most, kind, name] = process.argv;
const { CheerioCrawler, Configuration, HttpCrawler, log, LogLevel } = await import(name);
log.setLevel(LogLevel.OFF);
const started = performance.now();
let pages = 0;
const configuration = new Configuration({ persistStorage: false, purgeOnStart: true });
const common = { maxConcurrency: 32, minConcurrency: 8, requestHandlerTimeoutSecs: 60, maxRequestRetries: 1 };
const crawler =
  kind === 'cheerio'
    ? new CheerioCrawler(
        {
          ...common,
          async requestHandler({ enqueueLinks }) {
            pages += 1;
            await enqueueLinks();
          },
        },
        configuration,
      )
    : new HttpCrawler(
        {
          ...common,
          async requestHandler({ body, addRequests }) {
            pages += 1;
            await addRequests([...body.toString().matchAll(/href="(\/p\/\d+)"/g)].map(([, to]) => origin + to));
          },
        },
        configuration,
      );
setTimeout(() => void crawler.autoscaledPool?.abort(), Number(process.env.MOST_SECONDS ?? 120) * 1000).unref();
await crawler.run([`${origin}/p/0`]);
const { user, system } = process.cpuUsage();
console.log(
  JSON.stringify({
    pages: Math.min(pages, Number(most)),
    seconds: (performance.now() - started) / 1000,
    cpu: (user + system) / 1e6,
    rss: process.resourceUsage().maxRSS / 1024,
  }),
);
process.exit();
