/**
 * Hosts sent as a referrer so that readers of reports visit them. Known from public lists of referrer spam, including Matomo's public domain list; subdomains
 * are included. Hosts that also send real visitors (URL shorteners, hosting) are not.
 */
export const spamHosts: ReadonlySet<string> = new Set(
  `
    0n-line.tv 1-99seo.com 1-free-share-buttons.com 100dollars-seo.com 12masterov.com 1pamm.ru 1webmaster.ml 24x7-server-support.site 2your.site
    3waynetworks.com 4istoshop.com 4webmasters.org 5forex.ru 6hopping.com 76brighton.co.uk 7makemoneyonline.com 99-reasons-for-seo.com abcdefh.xyz
    abcdeg.xyz acads.net acunetix-referrer.com adviceforum.info advokateg.xyz aibolita.com alibestsale.com allknow.info allwomen.info amanda-porn.ga
    anti-crisis-seo.com anticrawler.org aosheng-tech.com apteka-pharm.ru artparquet.ru aruplighting.com autovideobroadcast.com aviva-limoux.com
    azbukafree.com backgroundpictures.net baixar-musicas-gratis.com balitouroffice.com begalka.xyz best-ping-service-usa.blue best-seo-offer.com
    best-seo-software.xyz best-seo-solution.com bestwebsitesawards.com betonka.pro biglistofwebsites.com billiard-classic.com.ua bizru.info
    blackhatworth.com bluerobot.info bookmaker-bet.com brakehawk.com break-the-chains.com brothers-smaller.ru budilneg.xyz budmavtomatika.com.ua
    buketeg.xyz bukleteg.xyz burger-imperia.com burn-fat.ga buttons-for-website.com buttons-for-your-website.com buy-cheap-online.info buyessaynow.biz
    cardiosport.com.ua cartechnic.ru cenokos.ru cenoval.ru cheap-trusted-backlinks.com chinese-amezon.com chizhik-2.ru cityadspix.com conciergegroup.org
    connectikastudio.com copyrightclaims.org covadhosting.biz cubook.supernew.org customsua.com.ua cyber-monday.ga darodar.com descargar-musica-gratis.net
    detskie-konstruktory.ru dipstar.org djekxa.ru dogsrun.net dojki-hd.com domination.ml doska-vsem.ru dostavka-v-krym.com dvr.biz.ua e-buyeasy.com
    earn-from-articles.com ecomp3.ru econom.co edakgfvwql.ru edudocs.net egovaleo.it elmifarhangi.com erot.co escort-russian.com este-line.com.ua
    euromasterclass.ru europages.com.ru event-tracking.com extener.com extener.org fast-wordpress-start.com fbdownloader.com finteks.ru
    fix-website-errors.com floating-share-buttons.com flowertherapy.ru for-your.website forsex.info forum20.smailik.org forum69.info
    free-floating-buttons.com free-share-buttons.com free-social-buttons.com free-social-buttons.xyz free-traffic.xyz freewhatsappload.com fsalas.com
    generalporn.org germes-trans.com get-free-social-traffic.com get-free-traffic-now.com ghazel.ru ghostvisitor.com girlporn.ru gobongo.info
    goodprotein.ru googlemare.com googlsucks.com guardlink.org handicapvantoday.com hdmoviecamera.net hongfanji.com hotgirlhdwallpaper.com
    howtostopreferralspam.eu hulfingtonpost.com humanorightswatch.org hundejo.com igru-xbox.net iloveitaly.ro iloveitaly.ru ilovevitaly.co ilovevitaly.com
    ilovevitaly.info ilovevitaly.org ilovevitaly.ru ilovevitaly.xyz iskalko.ru joingames.org justprofit.xyz kabbalah-red-bracelets.com kambasoft.com
    keywords-monitoring-success.com keywords-monitoring-your-success.com kino-fun.ru kino-key.info kinopolet.net kinosed.net law-enforcement-bot-ff.xyz
    law-six.xyz laxdrills.com littleberry.ru livefixer.com lol-smurfs.com lomb.co lsex.xyz lumb.co luton-invest.ru luxup.ru magicdiet.gq
    makemoneyonline.com masterseek.com mebelcomplekt.ru mebeldekor.com.ua med-zdorovie.com.ua meds-online24.com minegam.com mirobuvi.com.ua
    monetizationking.net moyakuhnia.ru net-profits.xyz niki-mlt.ru novosti-hi-tech.ru nufaq.com o-o-11-o-o.com o-o-6-o-o.com o-o-6-o-o.ru o-o-8-o-o.com
    o-o-8-o-o.ru offers.bycontext.com online-hit.info onlywoman.org ooo-olni.ru ozas.net palvira.com.ua petrovka-online.com photokitchendesign.com
    pizza-imperia.com pizza-tycoon.com pops.foundation pornhub-forum.ga pornhub-ru.com pornhubforum.tk porno-chaman.info pornoforadult.com portnoff.od.ua
    pozdravleniya-c.ru priceg.com producm.ru prointer.net.ua promoforum.ru purchasepillsnorx.com qualitymarketzone.com qwesa.ru rank-checker.online
    rankings-analytics.com ranksonic.com ranksonic.info ranksonic.net ranksonic.org razborka-skoda.org.ua rednise.com rightenergysolutions.com.au
    rumamba.com rusexy.xyz sady-urala.ru sanjosestartups.com santasgift.ml savetubevideo.com savetubevideo.info screentoolkit.com sell-fb-group-here.com
    semalt.com semaltmedia.com seo-platform.com seo-smm.kz seoanalyses.com seoexperimenty.ru seopub.net sex-porno.site sexyali.com
    share-buttons-for-free.com share-buttons.xyz sharebutton.net sharebutton.to simple-share-buttons.com site-auditor.online sitevaluation.org
    slftsdybbg.ru slkrm.ru snip.tw soaksoak.ru social-buttons.com social-widget.xyz sohoindia.net solnplast.ru spbchampionat.ru steame.ru success-seo.com
    sundrugstore.com superiends.org svetka.info t-rec.su tasteidea.com tattooha.com tedxrj.com theguardlan.com tomck.com top1-seo-service.com
    topseoservices.co track-rankings.online traffic-cash.xyz traffic2cash.org traffic2cash.xyz traffic2money.com trafficmonetize.org trafficmonetizer.org
    trion.od.ua uasb.ru ukrainian-poetry.com unpredictable.ga uptimechecker.com uzungil.com varikozdok.ru vesnatehno.com viagra-soft.ru
    video--production.com videofrost.com videos-for-your-business.com viktoria-center.ru vodkoved.ru vzubkah.com w3javascript.com web-betting.ru
    webmaster-traffic.com webmonetizer.net website-analytics.online websites-reviews.com wordpress-crew.net yhirurga.ru yourserverisdown.com zastroyka.org
  `
    .trim()
    .split(/\s+/),
);
