/** Numbers of what people tell demand nothing of the goods; those of the goods do. */
import { describe, expect, test } from 'vitest'
import { understand } from './understand.ts'

const measuresOf = (say: string): string[] => understand(say).must
  .filter(({ measure }) => measure && measure.unit !== 'month').map(({ text }) => text)

describe('what is told of people and days is no measure of the goods', () => {
  test.each([
    '结婚三十年，给老伴买块石英表', '我是95年的，想要个机械键盘', '孩子近视三百度，想要个护眼台灯',
    '开车两小时去外婆家，要个车载充电器', '跑步五公里膝盖就疼，要一副护膝', '我一米七八，一百四十斤，要件冲锋衣',
    '老房子一百年了，潮得很，来台除湿机', '坐月子三十天，想买个吸奶器', '每天走两万步，鞋底磨得快，要双徒步鞋',
    'we drove 500 km last week, looking for a car phone holder', '跑了十五年的老车，想换套脚垫',
    '爷爷走路五百米就喘，买个轮椅', '妈妈腰疼了两年，想要个护腰', '老战友四十年没见，送副中国象棋',
    '我那辆车跑二十里就没电了，想换块电动车电池', '我一米六，一百零五斤，想买条牛仔裤',
  ])('%s', (say) => {
    expect(measuresOf(say)).toEqual([])
  })
})

describe('of two measures what is wished stands before what is had', () => {
  test.each([
    ['原来的电热水壶才一升不够用，要个两升的', '两升'], ['家里床宽一米五，被子要两米二的', '两米二'],
    ['5升的油壶提不动，买瓶1升的花生油', '1升'],
    ['The 10 inch pan is too small, I need a 28 cm frying pan', '28 cm'],
    ['家里1.2米的桌子太小，想买1.6米的餐桌', '1.6米'], ['32寸的看不清了，换台55寸电视', '55寸'],
    ['钢琴考完八级了，想换个88键的电钢琴', '88键'], ['手机用了五年卡得要死，想换个128G的', '128G'],
    ["I've been running 10 km a day, I need new running shoes size 42", 'size 42'],
  ])('%s', (say, wanted) => {
    expect(measuresOf(say)).toEqual([wanted])
  })
})

describe('a measure that such goods state is theirs wherever it stands', () => {
  test.each([
    ['客厅三十平，想要台空气净化器', '三十平'], ['行李箱，红色，24寸', '24寸'], ['壶铃，20公斤', '20公斤'],
    ['儿子身高140，体重70斤，冬天穿的羽绒服', '身高140'], ['2000片的拼图没有的话，1500片也行', '1500片'],
    ['测血糖的机器，要带100片试纸的那种套装', '100片'],
  ])('%s', (say, wanted) => {
    expect(measuresOf(say)).toContain(wanted)
  })
})
