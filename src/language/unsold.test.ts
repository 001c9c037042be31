/** Goods that nobody here knows, beside the names of those that are known. */
import { expect, test } from 'vitest'
import { understand } from './understand.ts'

const kindsOf = (say: string): string[] => understand(say).kinds.map(({ value }) => value)

test.each([
  '液晶电视万能伴音模块', '打气筒手把', '南极人羽绒服清洁', 'xbox兑换码', '毛笔书法打格器',
  '爱普生打印机维修', '皇家澳纽乳铁蛋白', '戒指回收', '汉服设计稿', '糯米蛋', '水果分装袋', '豆花专用勺', '摩托车反光镜铃木gsx125-3k',
])('%s names none of the goods that its first words name', (say) => {
  expect(kindsOf(say)).toEqual([])
})

test.each([
  ['压屏机液晶电视', 'smart_television'], ['烫台海绵', 'dish_sponge'],
])('%s comes near to a known kind, and is none', (say, kind) => {
  const { unsold, isOpen } = understand(say)
  expect(unsold?.text).toBe(say)
  expect(isOpen).toBe(false)
  expect(kindsOf(say)).toContain(kind)
})

test.each([['灯泡式监控摄像头', 'security_camera'], ['聖誕樹星星', 'christmas_tree']])(
  '%s needs some of %s', (say, kind) => {
    expect(kindsOf(say)).toContain(kind)
  })

test.each([
  ['摄影配重沙袋', 'punching_bag'], ['标书密封袋', 'storage_zip_bag'], ['水暖地垫', 'door_mat'],
  ['朗赫锅具四件套', 'bedding_set'], ['车门黏胶', 'glue'],
  ['惠普m1522nf主板', 'motherboard'],
])('%s is made other goods by a common noun before a name of its own', (say, kind) => {
  expect(understand(say).unsold).not.toBe(null)
  expect(kindsOf(say)).toContain(kind)
})

test.each([
  ['昂科威s防撞条', 'a car'], ['索尼a1贴膜', 'a model of a brand that has other goods'],
  ['室内花卉仿真', 'what only looks so'], ['胡寿松第六版电子书pdf', 'a file'],
  ['拍立得照片打印', 'a service'],
  ['汉ev门锁扣', 'what only a need suggests'], ['肚皮舞的腰带', 'a use that is told before 的'],
  ['带视频的音乐内存卡', 'what nobody says of such goods'],
  ['百客龙户外电源', 'goods of a trade'],
  ['良业充电手钻电池', 'goods of which it is a part'],
  ['洗手盆支架托架', 'a noun before two names of one thing'],
  ['手机root', 'an English word behind it'], ['泰迪狗棉服', 'an animal'],
  ['租雪中梅舞蹈服', 'being rented'], ['nail related papers', 'goods named behind it'],
])('%s is no goods of the name in it, but for %s', (say) => {
  expect(understand(say).unsold).not.toBe(null)
})

test.each([['ac-505k咖啡机', 'coffee_machine']])(
  'of the names in %s the last is the goods', (say, kind) => {
    expect(kindsOf(say)[0]).toBe(kind)
  })

test.each(['泰迪台灯', '超亮吸顶灯', '助力拐杖', '威乐电瓶', '民族风床单', '原装碳粉', '老式木制沙发', '初中生 作文', '卷发帮'])(
  '%s is asked for by its brand, its look or its use', (say) => {
    expect(understand(say).unsold).toBe(null)
  })

test.each(['hanxio', '国家赔偿法', '益华贸易营销店', '自由的高度书'])(
  'a word in passing suggests nothing for %s', (say) => {
    expect(kindsOf(say)).toEqual([])
  })

test.each([
  ['软底居家鞋', 'indoor_slippers'], ['富光电热水壶', 'electric_kettle'], ['布艺鞋架', 'shoe_rack'],
  ['手机壳 透明', 'phone_case'], ['酸奶草莓味', 'fresh_yogurt'], ['咖啡机商用', 'coffee_machine'],
])('%s is of a known kind', (say, kind) => {
  expect(understand(say).unsold).toBe(null)
  expect(kindsOf(say)[0]).toBe(kind)
})

test.each(['多功能滚尺', '欧式手把', '木森林空气氧吧', '上海天洪驾驶证服务中心', '树根腐蚀剂'])(
  '%s is a noun, which no need answers', (say) => {
    expect(kindsOf(say)).toEqual([])
  })

test('a word of other characters is no slip, and one wrong character is', () => {
  const corrected = (say: string): string[] => understand(say).corrections.map(({ to }) => to)
  expect(['树根腐蚀剂', '天然草莓晶手镯', '意诚amd', '佳宝v80传动轴', 'koyo b1 plc'].flatMap(corrected))
    .toEqual([])
  expect(['宝宝尿不失', '知能马桶'].flatMap(corrected)).toEqual(['尿不湿', '智能马桶'])
})
