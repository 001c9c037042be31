/** What shoppers call a value, against goods that have it and goods that have another. */
import { describe, expect, test } from 'vitest'
import { readFacts } from './facts.ts'
import { fitOf, planOf } from './fit.ts'
import { understand } from './understand.ts'

/** The value of the fit; undefined for what is refused. */
function fit(sentence: string, title: string): number | undefined {
  const facts = readFacts({ title, brand: null, category: null })
  return fitOf(planOf(understand(sentence)), facts, [...facts.kinds.keys()][0])?.value
}

describe('a value is wished by any of its names', () => {
  test.each([
    ['glitter eyeshadow palette', '眼影盘 9色 细闪偏光', '眼影盘 9色 全哑光'],
    ['hanger, wooden', '衣架 实木 20只', '衣架 PP塑料 20只'],
    ['木头的相框', '相框 实木 7寸', '相框 亚克力 7寸'],
    ['sherry cask whisky', '威士忌 单一麦芽 雪莉桶', '威士忌 单一麦芽 波本桶'],
    ['全合成机油', '发动机机油 5W-40 酯类全合成', '发动机机油 5W-40 半合成'],
    ['入耳式的蓝牙耳机', '真无线蓝牙耳机 入耳式', '真无线蓝牙耳机 半入耳式'],
    ['汤锅 316', '汤锅 316不锈钢 22cm', '汤锅 304不锈钢 22cm'],
    ['cat food for kittens', '猫粮 幼猫 三文鱼 2kg', '猫粮 成猫 三文鱼 2kg'],
    ['不吵人的闹钟', '闹钟 静音走时 LED数字', '闹钟 渐强铃声 LED数字'],
    ['non stick frying pan', '平底煎锅 28cm 陶瓷不粘', '平底煎锅 28cm 无涂层蜂窝纹'],
    ['dog food for small breed puppies', '狗粮 小型犬 幼犬', '狗粮 小型犬 成犬'],
    ['magnetic phone case', '手机壳 TPU软壳 磁吸款', '手机壳 TPU软壳 普通款'],
    ['dog treats salmon flavor', '狗零食 肉干 三文鱼', '狗零食 肉干 鸭肉'],
    ['墨仓式打印机', '喷墨打印机 墨仓式连供', '喷墨打印机 墨盒式'],
    ['蚕丝被，一定要百分百桑蚕丝', '蚕丝被 100%桑蚕丝 2斤', '蚕丝被 50%桑蚕丝 2斤'],
    ['两头都能插的U盘', 'U盘 64GB USB-A与Type-C双接口', 'U盘 64GB USB3.2'],
    ['curtains that block out all light', '窗帘 涤纶遮光布 全遮光', '窗帘 涤纶遮光布 60%半遮光'],
    ['cushion, washable', '坐垫 海绵 外套可拆洗', '坐垫 海绵 防滑底'], ['宠物窝 能洗的', '宠物窝 机洗不变形', '宠物窝 圆窝'],
    ['小学生书包 蓝色', '书包 1-3年级 藏青', '书包 1-3年级 粉色'], ['书包 红色', '书包 1-3年级 酒红', '书包 1-3年级 灰色'],
    ['小学书包 深蓝色', '书包 1-3年级 藏青', '书包 1-3年级 浅蓝'],
    ['鞋架至少四层', '鞋架 楠竹 五层', '鞋架 楠竹 三层'], ['饭盒，两格以上的', '饭盒 三格 304', '饭盒 单格 304'],
    ['shoe rack, 4 tiers', '鞋架 楠竹 4层', '鞋架 楠竹 8层'],
    ['dark chocolate, 85 percent or higher', '巧克力 120克 85%黑巧克力', '巧克力 120克 纯可可脂黑巧'],
    ['爱普生 墨水', '墨盒 可加墨墨盒 爱普生', '墨盒 墨水瓶 惠普'],
    ['表带断了，换一条皮的', '手表表带 真皮 20mm', '手表表带 硅胶 20mm'],
  ])('%s', (sentence, having, lacking) => {
    expect(fit(sentence, having)).toBeGreaterThan(fit(sentence, lacking) ?? Infinity)
  })
})

describe('a value is refused by any of its names', () => {
  test.each([
    ['cat litter, anything except clay', '猫砂 膨润土 5kg', '猫砂 木薯 5kg'],
    ['T恤 化纤的不要', '男士T恤 速干涤纶', '男士T恤 纯棉'],
    ['T恤 别给我推化纤的', '男士T恤 冰丝', '男士T恤 棉氨混纺'],
    ['cat tree without particle board', '猫爬架 刨花板绒布', '猫爬架 松木'],
    ['水饺 韭菜的拜托别来', '速冻水饺 韭菜鸡蛋 500g', '速冻水饺 猪肉白菜 500g'],
    ['鞋柜，颗粒板的有味', '鞋柜 颗粒板 24cm', '鞋柜 橡胶木 24cm'],
    ['窗帘，打孔的别给我推', '窗帘 棉麻 打孔罗马杆', '窗帘 棉麻 挂钩轨道'],
    ['马丁靴 非牛皮', '马丁靴 头层牛皮', '马丁靴 超纤革'],
    ['皮的太硬了，想要一双手套', '手套 羊皮', '手套 毛线针织'],
    ['上次买的豆腐猫砂发霉了，想换个猫砂', '猫砂 豆腐 5kg', '猫砂 松木 5kg'],
    ['饼干，巧克力味除外', '饼干 夹心 巧克力', '饼干 夹心 原味'],
    ['围巾 羊毛的扎脖子不要', '围巾 女款 羊毛', '围巾 女款 腈纶针织'],
  ])('%s', (sentence, having, lacking) => {
    expect(fit(sentence, having)).toBeUndefined()
    expect(fit(sentence, lacking)).toBeDefined()
  })
})
