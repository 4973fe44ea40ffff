/** Words of the dashboard and of the installation check. */
export default {
  realtime: '实时', online: '当前在线', onlineHelp: '最近 5 分钟', perMinute: '最近 30 分钟每分钟浏览量', views: '浏览量 (PV)',
  today: '今天', todayNote: '对比昨天同时段，时区 {{zone}}', lineToday: '每小时访客数', lineLabel: '今天每小时的访客数',
  figure: { visitors: '访客数 (UV)', views: '浏览量 (PV)', bounceRate: '跳出率', avgDuration: '平均访问时长' },
  pages: '热门页面', page: '页面', sources: '来源', source: '来源', direct: '直接访问', unknown: '未知', change: '变化', lastSeven: '最近 7 天，对比前 7 天', more: '查看全部', noRows: '最近 7 天没有访问',
  failed: '“{{name}}”没有加载成功',
  install: {
    title: '安装统计代码',
    waiting: '等待第一次访问…', waitingText: '打开网站的任意一页，这里会在几秒内自动变化。', arrived: '已收到第一次访问', arrivedText: '统计已经开始。', open: '打开网站', seeLive: '查看实时访问',
    built: '这个站点由本程序发布，统计代码已经在每个页面里，不需要安装。打开网站看一眼，就会收到第一次访问。',
    step1: '复制这行代码，放到每个页面的 </head> 之前。', tag: '统计代码', copy: '复制代码', step2: '发布后打开网站的任意一页。', stepOpen: '打开网站的任意一页。', step3: '一直没有变化时，让程序检查一遍。',
    guide: {
      html: { name: '普通 HTML', text: '粘贴到每个页面的 </head> 之前；有公共模板的，只改模板一次。' },
      next: { name: 'Next.js', text: '在 app/layout.tsx 的 <head> 里加入 next/script，strategy 用 afterInteractive；页面切换会自动统计。' },
      vue: { name: 'Vue / Nuxt', text: 'Vue：粘贴到 index.html 的 </head> 之前。Nuxt：写入 nuxt.config 的 app.head.script。路由切换会自动统计。' },
      react: { name: 'React / Vite', text: '粘贴到 index.html 的 </head> 之前。路由切换会自动统计，不需要额外代码。' },
      wordpress: { name: 'WordPress', text: '在主题的 header.php 里粘贴到 </head> 之前，或用“页眉代码”类插件添加。' },
      gtm: { name: '代码管理工具', text: '新建“自定义 HTML”代码，触发条件选“所有页面”。' },
    },
    check: '立即检查', checking: '正在检查…', address: '网址', addressHelp: '检查会像浏览器一样打开这个页面，查看统计代码是否正确。', result: '检查结果', checkedAt: '检查于 {{time}}', checkFailed: '检查没有完成',
    scriptLoads: '统计脚本已被加载 {{count}} 次', scriptNever: '统计脚本还没有被加载过', refused: '被拒绝的访问', refusal: '{{host}}：{{reason}}，{{count}} 次',
    finding: {
      tag_found: '页面上有统计代码', tag_missing: '页面上没有统计代码', tag_twice: '统计代码出现了多次', wrong_site_id: '统计代码属于另一个站点', not_reachable: '网站无法访问', bad_status: '页面返回错误状态', not_html: '这个地址不是网页', csp_blocks_script: '内容安全策略拦截了统计脚本', csp_blocks_connect: '内容安全策略拦截了数据上报', address_refused: '这个地址不允许检查', no_url: '还没有填写网址', redirects_elsewhere: '页面跳转到了别的域名', hits_refused: '收到了访问，但被拒绝', mixed_content: '页面是 https，统计脚本是 http', script_not_loaded: '代码在页面上，但脚本没有被加载过', script_loaded_no_hit: '脚本已被加载，但没有数据上报',
    },
    remedy: {
      tag_found: '不需要处理，打开页面即可。', tag_missing: '确认代码已发布，并且没有被缓存或构建工具去掉。', tag_twice: '只保留一处，否则每次浏览会重复上报。', wrong_site_id: '换成上面这行代码。', not_reachable: '检查域名解析和防火墙，确认从这台服务器可以打开网站。', bad_status: '先让页面正常打开，再检查一次。', not_html: '填写网页的地址，而不是图片或接口。', csp_blocks_script: '在 script-src 中加入 {{origin}}。', csp_blocks_connect: '在 connect-src 中加入 {{origin}}。', address_refused: '内网地址和本机地址默认不检查。代码仍会正常工作，直接打开网站即可。', no_url: '在上面填写网址，再检查一次。', redirects_elsewhere: '检查跳转后的页面，或者改填跳转后的地址。', hits_refused: '查看下面的拒绝原因。', mixed_content: '让统计程序也使用 https，否则浏览器会拦截。', script_not_loaded: '可能被广告拦截插件、内容安全策略或缓存挡住。用无痕窗口打开网站试试。', script_loaded_no_hit: '打开浏览器的网络面板，看 /collect 请求的结果；也可能是访客开启了“禁止跟踪”。',
    },
    level: { good: '正常', warning: '注意', bad: '问题' },
    code: { malformed: '数据格式不正确', too_large: '数据过大', too_many: '一次上报过多', unknown_site: '站点编号不存在', site_not_active: '站点已归档或删除', too_old: '时间过旧', journal_full: '服务器缓冲已满', rate_limited: '上报过于频繁', wrong_host: '域名不属于这个站点', other: '其他原因' },
  },
} as const;
