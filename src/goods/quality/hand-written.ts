/** Queries as people type them, with labels chosen by hand. */
import {
  coloured, forScene, hasFeature, hasValue, kindsNamed, nearKinds, says, valueHas, type Limits,
  type Wish,
} from './label.ts'
import type { LabelledQuery, QueryClass } from './query-set.ts'

interface More {
  readonly wishes?: readonly Wish[]
  readonly near?: readonly string[]
  readonly brand?: string
}

/** `kinds` are separated by spaces. */
function want(
  name: QueryClass, q: string, kinds: string, more: More = {}, limits: Limits = {},
): LabelledQuery {
  const list = kinds.split(' ')
  return {
    q, class: name, limits, isHandWritten: true,
    wanted: { kinds: list, near: nearKinds(list), ...more },
  }
}

const nothing = (q: string, limits: Limits = {}): LabelledQuery =>
  ({ q, class: 'nothing', limits, isHandWritten: true })

/** Every kind that one of the words names: a shopper who says no more takes any of them. */
const named = (...words: readonly string[]): string =>
  [...new Set(words.flatMap(kindsNamed))].join(' ')

const PHONES = 'smartphone foldable_phone senior_phone rugged_phone'

export const handWritten = (): LabelledQuery[] => [
  want('kind', '红酒', named('红酒'), { near: ['white_wine', 'sparkling_wine'] }),
  want('kind', '电饭煲', 'rice_cooker'),
  want('kind', '手机', PHONES),
  want('kind', '洗衣机', named('洗衣机'), { near: ['heat_pump_dryer'] }),
  want('kind', '白酒', named('白酒')),
  want('kind', '床垫', named('床垫')),
  want('kind', '行李箱', 'rolling_suitcase', { near: ['travel_duffel'] }),
  want('kind', '键盘', named('键盘')),
  want('kind', '毛巾', named('毛巾')),
  want('kind', '奶粉', named('奶粉')),
  want('kind', '鞋', named('鞋', '女鞋', '男鞋', '运动鞋', '休闲鞋')),
  want('kind', '酒', named('酒', '白酒', '红酒', '啤酒', '葡萄酒', '洋酒')),

  want('synonym', '烧水壶', 'electric_kettle'),
  want('synonym', '水杯', 'vacuum_flask drinking_glass', { near: ['vacuum_flask'] }),
  want('synonym', '尿不湿', 'baby_diapers training_pants'),
  want('synonym', '充电器', 'wall_charger wireless_charger'),
  want('synonym', '内存卡', 'memory_card'),
  want('synonym', 'laptop', 'notebook_computer', { near: ['gaming_laptop'] }),
  want('synonym', 'bluetooth speaker', 'bluetooth_speaker'),
  want('synonym', 'yoga mat', 'yoga_mat'),
  want('synonym', '笔记本', 'notebook_computer gaming_laptop', { near: ['laptop_stand'] }),
  want('synonym', '席梦思', 'spring_mattress'),
  want('synonym', '沐浴乳', 'body_wash'),
  want('synonym', '拖鞋', named('拖鞋')),
  want('synonym', '自行车', 'road_bicycle', { near: ['cycling_helmet', 'kids_balance_bike'] }),
  want('synonym', '剃须刀', 'electric_shaver'),
  want('synonym', '拉杆箱', 'rolling_suitcase'),
  want('synonym', '卫生纸', 'toilet_paper_rolls', { near: ['facial_tissue_paper'] }),

  want('attribute', '500毫升保温杯', 'vacuum_flask', { wishes: [hasValue('容量', '500ml')] }),
  want('attribute', '256G 手机', PHONES,
    { wishes: [hasValue('存储容量', '256GB')] }),
  want('attribute', '降噪耳机', named('降噪耳机'), { wishes: [says('降噪')] }),
  want('attribute', '53度白酒', named('白酒'),
    { wishes: [hasValue('酒精度', '53度')] }),
  want('attribute', '粉色行李箱', named('行李箱'), { wishes: [coloured('粉')] }),
  want('attribute', '27寸显示器', 'computer_monitor', { wishes: [hasValue('屏幕尺寸', '27英寸')] }),
  want('attribute', '纯棉 T恤', named('T恤'), { wishes: [valueHas('面料', '棉')] }),
  want('attribute', '羊毛衫', 'knit_sweater', { wishes: [valueHas('材质', '羊毛')] }),
  want('attribute', '无糖气泡水', 'sparkling_soda', { wishes: [hasValue('甜味', '无糖')] }),
  want('attribute', '长袖衬衫', 'mens_dress_shirt', { wishes: [hasValue('袖长', '长袖')] }),
  want('attribute', '10000毫安充电宝', 'power_bank',
    { wishes: [hasValue('电池容量', '10000mAh')] }),
  want('attribute', '304不锈钢 饭盒', 'lunch_box', { wishes: [hasValue('材质', '304不锈钢')] }),
  want('attribute', '1.8米床 四件套', 'bedding_set', { wishes: [hasValue('适用床', '1.8米床')] }),
  want('attribute', '42码跑鞋', 'jogging_shoes', { wishes: [hasValue('鞋码', '42码')] }),
  want('attribute', '5斤 车厘子', 'cherries', { wishes: [hasValue('净重', '5斤')] }),

  want('two', '黑色 机械键盘 87键', 'mechanical_keyboard',
    { wishes: [coloured('黑'), hasValue('键数', '87键')] }),
  want('two', '澜曜 手机 512g', PHONES,
    { brand: '澜曜', wishes: [hasValue('存储容量', '512GB')] }),
  want('two', '男款 羽绒服 黑色', named('羽绒服'),
    { wishes: [hasValue('适用性别', '男款'), coloured('黑')] }),
  want('two', '智能手表 nfc', 'smart_watch', { near: ['fitness_band'] }),
  want('two', '女士 短靴 真皮', 'ankle_boots',
    { wishes: [hasValue('适用性别', '女款'), valueHas('鞋面材质', '牛皮')] }),
  want('two', '可折叠 婴儿床', 'baby_crib', { wishes: [valueHas('材质', '折叠')] }),
  want('two', '静音 无线鼠标', 'wireless_mouse', { wishes: [hasFeature('静音微动')] }),

  want('price', '耳机', named('耳机'), {}, { max: 20_000 }),
  want('price', '红酒', named('红酒'), {}, { min: 20_000, max: 50_000 }),
  want('price', '手机', PHONES, {},
    { min: 200_000, max: 300_000, supply: 'own' }),
  want('price', '茶叶', named('茶叶'), {},
    { max: 10_000 }),

  want('script', '筆記型電腦', 'notebook_computer gaming_laptop'),
  want('script', '滑鼠', 'wireless_mouse'),
  want('script', '行動電源', 'power_bank'),
  want('script', '冰箱 雙門', 'compact_refrigerator',
    { near: ['multi_door_refrigerator'], wishes: [hasValue('门款', '双门')] }),
  want('script', '２５６ＧＢ　智慧型手機', PHONES,
    { wishes: [hasValue('存储容量', '256GB')] }),

  want('phrase', '我想买一个喝水的杯子', 'drinking_glass vacuum_flask'),
  want('phrase', '送女朋友的项链', 'silver_necklace gold_pendant_necklace'),
  want('phrase', '有没有便宜一点的蓝牙耳机', 'wireless_earbuds', { near: ['over_ear_headphones'] }),
  want('phrase', '适合宿舍用的小冰箱', 'compact_refrigerator', { wishes: [forScene('宿舍公寓')] }),
  want('phrase', '给老人用的手机', 'senior_phone', { near: ['smartphone', 'foldable_phone'] }),
  want('phrase', '跑步穿的鞋子', 'jogging_shoes', { near: ['canvas_sneakers'] }),
  want('phrase', '煮饭用的锅', 'rice_cooker', { near: ['soup_pot', 'pressure_cooker'] }),
  want('phrase', '露营用的帐篷', 'camping_tent'),
  want('phrase', '不粘锅的炒菜锅有推荐吗', 'stir_fry_wok', { near: ['frying_pan'] }),
  want('phrase', '怕热的人用的凉席', 'sleeping_mat'),
  want('phrase', '孩子写作业用的护眼台灯', 'study_desk_lamp'),
  want('phrase', '防滑的浴室垫子', 'bathroom_mat', { wishes: [hasFeature('防滑')] }),
  want('phrase', 'I want a mechanical keyboard', 'mechanical_keyboard'),
  want('phrase', '冬天穿的加绒雪地靴', 'snow_boots'),

  nothing('亚历山大变色石原矿标本'),
  nothing('asdkjhqwe zxcmnbqwe'),
  nothing('直升机旋翼'),
  nothing('澜曜 卫生纸'),
  nothing('手机', { category: 17 }),
  nothing('Kryptonite 9000X'),
]
