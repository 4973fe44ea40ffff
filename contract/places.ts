export { productName, storedProducts } from './names';

/**
 * Names of places. Stored values are codes: countries ISO 3166-1 alpha-2; in China, provinces ISO 3166-2:CN (all 34, including Hong Kong, Macao and Taiwan,
 * stored with country `CN`) and cities by the keys below; elsewhere regions and cities by their English names, which are shown unchanged.
 */
type Locale = 'zh-CN' | 'en';

/**
 * One line per province: code, short Chinese name, English name, then its prefecture-level cities as Chinese name and pinyin key (GB/T 28039 spellings; two
 * cities with the same spelling have the province in brackets). Municipalities are their own city.
 */
const table = `
BJ 北京 Beijing: 北京 Beijing
TJ 天津 Tianjin: 天津 Tianjin
HE 河北 Hebei: 石家庄 Shijiazhuang, 唐山 Tangshan, 秦皇岛 Qinhuangdao, 邯郸 Handan, 邢台 Xingtai, 保定 Baoding, 张家口 Zhangjiakou, 承德 Chengde, 沧州 Cangzhou, 廊坊 Langfang, 衡水 Hengshui, 雄安 Xiong'an
SX 山西 Shanxi: 太原 Taiyuan, 大同 Datong, 阳泉 Yangquan, 长治 Changzhi, 晋城 Jincheng, 朔州 Shuozhou, 晋中 Jinzhong, 运城 Yuncheng, 忻州 Xinzhou, 临汾 Linfen, 吕梁 Lüliang
NM 内蒙古 Inner Mongolia: 呼和浩特 Hohhot, 包头 Baotou, 乌海 Wuhai, 赤峰 Chifeng, 通辽 Tongliao, 鄂尔多斯 Ordos, 呼伦贝尔 Hulunbuir, 巴彦淖尔 Bayannur, 乌兰察布 Ulanqab, 兴安盟 Hinggan, 锡林郭勒 Xilingol, 阿拉善 Alxa
LN 辽宁 Liaoning: 沈阳 Shenyang, 大连 Dalian, 鞍山 Anshan, 抚顺 Fushun, 本溪 Benxi, 丹东 Dandong, 锦州 Jinzhou, 营口 Yingkou, 阜新 Fuxin, 辽阳 Liaoyang, 盘锦 Panjin, 铁岭 Tieling, 朝阳 Chaoyang, 葫芦岛 Huludao
JL 吉林 Jilin: 长春 Changchun, 吉林 Jilin City, 四平 Siping, 辽源 Liaoyuan, 通化 Tonghua, 白山 Baishan, 松原 Songyuan, 白城 Baicheng, 延边 Yanbian
HL 黑龙江 Heilongjiang: 哈尔滨 Harbin, 齐齐哈尔 Qiqihar, 鸡西 Jixi, 鹤岗 Hegang, 双鸭山 Shuangyashan, 大庆 Daqing, 伊春 Yichun (Heilongjiang), 佳木斯 Jiamusi, 七台河 Qitaihe, 牡丹江 Mudanjiang, 黑河 Heihe, 绥化 Suihua, 大兴安岭 Da Hinggan Ling
SH 上海 Shanghai: 上海 Shanghai
JS 江苏 Jiangsu: 南京 Nanjing, 无锡 Wuxi, 徐州 Xuzhou, 常州 Changzhou, 苏州 Suzhou, 南通 Nantong, 连云港 Lianyungang, 淮安 Huai'an, 盐城 Yancheng, 扬州 Yangzhou, 镇江 Zhenjiang, 泰州 Taizhou (Jiangsu), 宿迁 Suqian
ZJ 浙江 Zhejiang: 杭州 Hangzhou, 宁波 Ningbo, 温州 Wenzhou, 嘉兴 Jiaxing, 湖州 Huzhou, 绍兴 Shaoxing, 金华 Jinhua, 衢州 Quzhou, 舟山 Zhoushan, 台州 Taizhou (Zhejiang), 丽水 Lishui
AH 安徽 Anhui: 合肥 Hefei, 芜湖 Wuhu, 蚌埠 Bengbu, 淮南 Huainan, 马鞍山 Ma'anshan, 淮北 Huaibei, 铜陵 Tongling, 安庆 Anqing, 黄山 Huangshan, 滁州 Chuzhou, 阜阳 Fuyang, 宿州 Suzhou (Anhui), 六安 Lu'an, 亳州 Bozhou, 池州 Chizhou, 宣城 Xuancheng
FJ 福建 Fujian: 福州 Fuzhou, 厦门 Xiamen, 莆田 Putian, 三明 Sanming, 泉州 Quanzhou, 漳州 Zhangzhou, 南平 Nanping, 龙岩 Longyan, 宁德 Ningde
JX 江西 Jiangxi: 南昌 Nanchang, 景德镇 Jingdezhen, 萍乡 Pingxiang, 九江 Jiujiang, 新余 Xinyu, 鹰潭 Yingtan, 赣州 Ganzhou, 吉安 Ji'an, 宜春 Yichun (Jiangxi), 抚州 Fuzhou (Jiangxi), 上饶 Shangrao
SD 山东 Shandong: 济南 Jinan, 青岛 Qingdao, 淄博 Zibo, 枣庄 Zaozhuang, 东营 Dongying, 烟台 Yantai, 潍坊 Weifang, 济宁 Jining, 泰安 Tai'an, 威海 Weihai, 日照 Rizhao, 莱芜 Laiwu, 临沂 Linyi, 德州 Dezhou, 聊城 Liaocheng, 滨州 Binzhou, 菏泽 Heze
HA 河南 Henan: 郑州 Zhengzhou, 开封 Kaifeng, 洛阳 Luoyang, 平顶山 Pingdingshan, 安阳 Anyang, 鹤壁 Hebi, 新乡 Xinxiang, 焦作 Jiaozuo, 濮阳 Puyang, 许昌 Xuchang, 漯河 Luohe, 三门峡 Sanmenxia, 南阳 Nanyang, 商丘 Shangqiu, 信阳 Xinyang, 周口 Zhoukou, 驻马店 Zhumadian, 济源 Jiyuan
HB 湖北 Hubei: 武汉 Wuhan, 黄石 Huangshi, 十堰 Shiyan, 宜昌 Yichang, 襄阳 Xiangyang, 鄂州 Ezhou, 荆门 Jingmen, 孝感 Xiaogan, 荆州 Jingzhou, 黄冈 Huanggang, 咸宁 Xianning, 随州 Suizhou, 恩施 Enshi, 仙桃 Xiantao, 潜江 Qianjiang, 天门 Tianmen, 神农架 Shennongjia
HN 湖南 Hunan: 长沙 Changsha, 株洲 Zhuzhou, 湘潭 Xiangtan, 衡阳 Hengyang, 邵阳 Shaoyang, 岳阳 Yueyang, 常德 Changde, 张家界 Zhangjiajie, 益阳 Yiyang, 郴州 Chenzhou, 永州 Yongzhou, 怀化 Huaihua, 娄底 Loudi, 湘西 Xiangxi
GD 广东 Guangdong: 广州 Guangzhou, 韶关 Shaoguan, 深圳 Shenzhen, 珠海 Zhuhai, 汕头 Shantou, 佛山 Foshan, 江门 Jiangmen, 湛江 Zhanjiang, 茂名 Maoming, 肇庆 Zhaoqing, 惠州 Huizhou, 梅州 Meizhou, 汕尾 Shanwei, 河源 Heyuan, 阳江 Yangjiang, 清远 Qingyuan, 东莞 Dongguan, 中山 Zhongshan, 潮州 Chaozhou, 揭阳 Jieyang, 云浮 Yunfu
GX 广西 Guangxi: 南宁 Nanning, 柳州 Liuzhou, 桂林 Guilin, 梧州 Wuzhou, 北海 Beihai, 防城港 Fangchenggang, 钦州 Qinzhou, 贵港 Guigang, 玉林 Yulin (Guangxi), 百色 Baise, 贺州 Hezhou, 河池 Hechi, 来宾 Laibin, 崇左 Chongzuo
HI 海南 Hainan: 海口 Haikou, 三亚 Sanya, 三沙 Sansha, 儋州 Danzhou, 五指山 Wuzhishan, 琼海 Qionghai, 文昌 Wenchang, 万宁 Wanning, 东方 Dongfang
CQ 重庆 Chongqing: 重庆 Chongqing
SC 四川 Sichuan: 成都 Chengdu, 自贡 Zigong, 攀枝花 Panzhihua, 泸州 Luzhou, 德阳 Deyang, 绵阳 Mianyang, 广元 Guangyuan, 遂宁 Suining, 内江 Neijiang, 乐山 Leshan, 南充 Nanchong, 眉山 Meishan, 宜宾 Yibin, 广安 Guang'an, 达州 Dazhou, 雅安 Ya'an, 巴中 Bazhong, 资阳 Ziyang, 阿坝 Ngawa, 甘孜 Garze, 凉山 Liangshan
GZ 贵州 Guizhou: 贵阳 Guiyang, 六盘水 Liupanshui, 遵义 Zunyi, 安顺 Anshun, 毕节 Bijie, 铜仁 Tongren, 黔西南 Qianxinan, 黔东南 Qiandongnan, 黔南 Qiannan
YN 云南 Yunnan: 昆明 Kunming, 曲靖 Qujing, 玉溪 Yuxi, 保山 Baoshan, 昭通 Zhaotong, 丽江 Lijiang, 普洱 Pu'er, 临沧 Lincang, 楚雄 Chuxiong, 红河 Honghe, 文山 Wenshan, 西双版纳 Xishuangbanna, 大理 Dali, 德宏 Dehong, 怒江 Nujiang, 迪庆 Diqing
XZ 西藏 Tibet: 拉萨 Lhasa, 日喀则 Xigazê, 昌都 Qamdo, 林芝 Nyingchi, 山南 Shannan, 那曲 Nagqu, 阿里 Ngari
SN 陕西 Shaanxi: 西安 Xi'an, 铜川 Tongchuan, 宝鸡 Baoji, 咸阳 Xianyang, 渭南 Weinan, 延安 Yan'an, 汉中 Hanzhong, 榆林 Yulin (Shaanxi), 安康 Ankang, 商洛 Shangluo
GS 甘肃 Gansu: 兰州 Lanzhou, 嘉峪关 Jiayuguan, 金昌 Jinchang, 白银 Baiyin, 天水 Tianshui, 武威 Wuwei, 张掖 Zhangye, 平凉 Pingliang, 酒泉 Jiuquan, 庆阳 Qingyang, 定西 Dingxi, 陇南 Longnan, 临夏 Linxia, 甘南 Gannan
QH 青海 Qinghai: 西宁 Xining, 海东 Haidong, 海北 Haibei, 黄南 Huangnan, 海南州 Hainan (Qinghai), 果洛 Golog, 玉树 Yushu, 海西 Haixi
NX 宁夏 Ningxia: 银川 Yinchuan, 石嘴山 Shizuishan, 吴忠 Wuzhong, 固原 Guyuan, 中卫 Zhongwei
XJ 新疆 Xinjiang: 乌鲁木齐 Ürümqi, 克拉玛依 Karamay, 吐鲁番 Turpan, 哈密 Hami, 昌吉 Changji, 博尔塔拉 Bortala, 巴音郭楞 Bayingolin, 阿克苏 Aksu, 克孜勒苏 Kizilsu, 喀什 Kashgar, 和田 Hotan, 伊犁 Ili, 塔城 Tacheng, 阿勒泰 Altay, 石河子 Shihezi, 五家渠 Wujiaqu, 阿拉尔 Aral, 图木舒克 Tumxuk
HK 香港 Hong Kong: 香港 Hong Kong
MO 澳门 Macao: 澳门 Macao
TW 台湾 Taiwan: 台北 Taipei, 新北 New Taipei, 桃园 Taoyuan, 台中 Taichung, 台南 Tainan, 高雄 Kaohsiung, 基隆 Keelung, 新竹市 Hsinchu City, 新竹县 Hsinchu County, 苗栗 Miaoli, 彰化 Changhua, 南投 Nantou, 云林 Yunlin, 嘉义市 Chiayi City, 嘉义县 Chiayi County, 屏东 Pingtung, 宜兰 Yilan, 花莲 Hualien, 台东 Taitung, 澎湖 Penghu, 金门 Kinmen, 连江 Lienchiang
`;

export type Province = { readonly code: string; readonly zh: string; readonly en: string };
export type City = { readonly key: string; readonly zh: string; readonly province: string };

const lines = table
  .trim()
  .split('\n')
  .map((line): { province: Province; cities: City[] } => {
    const [head = '', rest = ''] = line.split(': ');
    const [short = '', zh = '', ...en] = head.split(' ');
    const code = `CN-${short}`;
    const cities = rest.split(', ').map((entry): City => {
      const gap = entry.indexOf(' ');
      return { key: entry.slice(gap + 1), zh: entry.slice(0, gap), province: code };
    });
    return { province: { code, zh, en: en.join(' ') }, cities };
  });

/** The 34 provinces in the order of GB/T 2260. */
export const provinces: readonly Province[] = lines.map((line) => line.province);
/** All prefecture-level cities of China, the cities of Taiwan, and some that provinces administer directly. */
export const cities: readonly City[] = lines.flatMap((line) => line.cities);

const provinceByCode = new Map(provinces.map((province) => [province.code, province]));
const cityByKey = new Map(cities.map((city) => [city.key, city]));

/** The console names these as places of China (国家/地区); Intl and the common libraries disagree about them. */
const countryOverrides: Record<Locale, Record<string, string>> = {
  'zh-CN': { HK: '中国香港', MO: '中国澳门', TW: '中国台湾' },
  en: { HK: 'Hong Kong, China', MO: 'Macao, China', TW: 'Taiwan, China' },
};
const countryNames: Partial<Record<Locale, Intl.DisplayNames>> = {};

/** Returns the name of an ISO 3166-1 alpha-2 code; the input itself when it is not one; '' for ''. */
export const countryName = (code: string, locale: Locale): string => {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  const names = (countryNames[locale] ??= new Intl.DisplayNames([locale], { type: 'region' }));
  return countryOverrides[locale][code] ?? names.of(code) ?? code;
};

/** Returns the name of `CN-GD` and the like; other regions are stored by name and returned unchanged. */
export const provinceName = (code: string, locale: Locale): string => {
  const province = provinceByCode.get(code);
  return province ? (locale === 'en' ? province.en : province.zh) : code;
};

/** Prefix of the key of a report row that sums the hidden cities of a region (a province, or else a country). */
export const restOfRegion = '*';

/** Returns the name of a city key; other cities are stored by name and returned unchanged. */
export function cityName(key: string, locale: Locale): string {
  if (!key.startsWith(restOfRegion)) return locale === 'en' ? key : (cityByKey.get(key)?.zh ?? key);
  const code = key.slice(restOfRegion.length);
  const region = provinceByCode.has(code) ? provinceName(code, locale) : countryName(code, locale);
  if (region === '') return locale === 'en' ? 'Other cities' : '其他城市';
  return locale === 'en' ? `${region} (other cities)` : `${region}（其他城市）`;
}

/** Returns the keys of the cities of China whose Chinese name contains `part`. */
export const storedCities = (part: string): string[] => cities.filter(({ zh }) => zh.includes(part)).map(({ key }) => key);
