/** Words of the dashboard and of the installation check. */
export default {
  realtime: 'Live', online: 'Online now', onlineHelp: 'Last 5 minutes', perMinute: 'Page views by minute, last 30 minutes', views: 'Page views',
  today: 'Today', todayNote: 'Against yesterday at this time, {{zone}}', lineToday: 'Visitors by hour', lineLabel: 'Visitors of today by hour',
  figure: { visitors: 'Visitors', views: 'Page views', bounceRate: 'Bounce rate', avgDuration: 'Average visit duration' },
  pages: 'Top pages', page: 'Page', sources: 'Sources', source: 'Source', direct: 'Direct', unknown: 'Unknown', change: 'Change', lastSeven: 'Last 7 days against the 7 before', more: 'See all', noRows: 'No visits in the last 7 days',
  failed: '“{{name}}” did not load',
  install: {
    title: 'Install the tag',
    waiting: 'Waiting for the first visit…', waitingText: 'Open any page of the site; this changes by itself within seconds.', arrived: 'The first visit has arrived', arrivedText: 'Measuring has begun.', open: 'Open the site', seeLive: 'See live visits',
    built: 'This site is published by this program. The tag is already in every page and nothing needs installing. Open the site once and the first visit arrives.',
    step1: 'Copy this line and put it before </head> on every page.', tag: 'Tag', copy: 'Copy the tag', step2: 'Publish, then open any page of the site.', stepOpen: 'Open any page of the site.', step3: 'If nothing changes, have it checked.',
    guide: {
      html: { name: 'Plain HTML', text: 'Paste it before </head> on every page; with a shared template, change the template once.' },
      next: { name: 'Next.js', text: 'Add it through next/script in app/layout.tsx with the strategy afterInteractive. Page changes are counted by themselves.' },
      vue: { name: 'Vue / Nuxt', text: 'Vue: paste it before </head> in index.html. Nuxt: put it into app.head.script of nuxt.config. Route changes are counted by themselves.' },
      react: { name: 'React / Vite', text: 'Paste it before </head> in index.html. Route changes are counted by themselves.' },
      wordpress: { name: 'WordPress', text: 'Paste it before </head> in the theme’s header.php, or use a plugin for header code.' },
      gtm: { name: 'Tag manager', text: 'Make a custom HTML tag that fires on all pages.' },
    },
    check: 'Check now', checking: 'Checking…', address: 'Site address', addressHelp: 'The check opens this page as a browser would and looks for the tag.', result: 'Result', checkedAt: 'Checked at {{time}}', checkFailed: 'The check did not finish',
    scriptLoads: 'The script has been loaded {{count}} times', scriptNever: 'The script has not been loaded yet', refused: 'Refused hits', refusal: '{{host}}: {{reason}}, {{count}} times',
    finding: {
      tag_found: 'The tag is on the page', tag_missing: 'The tag is not on the page', tag_twice: 'The tag is there more than once', wrong_site_id: 'The tag belongs to another site', not_reachable: 'The site cannot be reached', bad_status: 'The page answers with an error', not_html: 'The address is not a web page', csp_blocks_script: 'The content security policy blocks the script', csp_blocks_connect: 'The content security policy blocks sending', address_refused: 'This address may not be checked', no_url: 'No site address is known', redirects_elsewhere: 'The page redirects to another host', hits_refused: 'Hits arrived but were refused', mixed_content: 'The page is https, the script is http', script_not_loaded: 'The tag is there, but the script was never loaded', script_loaded_no_hit: 'The script was loaded, but nothing was sent',
    },
    remedy: {
      tag_found: 'Nothing to do: open the page.', tag_missing: 'Make sure that it is published and that no cache or build step removed it.', tag_twice: 'Keep one; otherwise each view is sent twice.', wrong_site_id: 'Replace it with the line above.', not_reachable: 'Check DNS and firewall: this server must be able to open the site.', bad_status: 'Get the page to open first, then check again.', not_html: 'Enter the address of a page, not of a picture or an API.', csp_blocks_script: 'Add {{origin}} to script-src.', csp_blocks_connect: 'Add {{origin}} to connect-src.', address_refused: 'Private and local addresses are not fetched. The tag works all the same: just open the site.', no_url: 'Enter the site’s address above and check again.', redirects_elsewhere: 'Check the page it leads to, or enter that address.', hits_refused: 'The reasons are listed below.', mixed_content: 'Serve this program over https too; browsers block the script otherwise.', script_not_loaded: 'An ad blocker, a content security policy or a cache may be in the way. Try a private window.', script_loaded_no_hit: 'Look at the /collect request in the browser’s network panel; the visitor may also have asked not to be tracked.',
    },
    level: { good: 'Fine', warning: 'Note', bad: 'Problem' },
    code: { malformed: 'malformed data', too_large: 'too large', too_many: 'too many at once', unknown_site: 'unknown site id', site_not_active: 'the site is archived or deleted', too_old: 'too old', journal_full: 'server buffer full', rate_limited: 'too frequent', wrong_host: 'host not of this site', other: 'other reason' },
  },
} as const;
