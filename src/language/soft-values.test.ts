import { expect, test } from 'vitest'
import { understand } from './understand.ts'
import type { Understanding, Wish } from './understanding.ts'

/** What the wishes mean of goods of the likeliest kind. */
const valuesIn = ({ kinds }: Understanding, wishes: readonly Wish[]): string[] =>
  wishes.flatMap(({ values }) => values?.get(kinds[0]?.value ?? '') ?? []).map(({ text }) => text)

test.each([
  ['扫地机器人 两只猫天天掉毛', '养宠家庭'], ['沙发垫 狗爱在上面睡', '养宠家庭'],
  ['robot vacuum, dog hair everywhere', '养宠家庭'], ['机械键盘 平时吃鸡用', '电竞'],
  ['mechanical keyboard mostly for gaming', '电竞'], ['猫砂 灰尘小一点', '低粉尘'],
  ['cat litter, low dust please', '低粉尘'], ['折叠床 公司里塞桌子底下', '办公室午休'],
  ['ukulele, never played before', '初学者'], ['尤克里里 小白学', '初学者'],
  ['防晒霜 皮肤敏感', '敏感肌可用'], ['sunscreen for sensitive skin', '敏感肌可用'],
  ['显示器 眼睛酸', '低蓝光不闪屏'], ['手机壳 总摔', '四角气囊防摔'], ['炒锅 好清理的', '易清洗'],
  ['地毯 别打滑', '防滑底'], ["rug that won't slip", '防滑底'],
])('%s prefers what says %s', (sentence, value) => {
  const understood = understand(sentence)
  const { prefer, must, unclear } = understood
  expect(valuesIn(understood, [...prefer, ...must])).toContain(value)
  expect(unclear.map(({ text }) => text).join('')).not.toMatch(/灰|毛|摔|滑|狗|slip|dust|fur/)
})

test.each([
  ['机械键盘 从不打游戏', '电竞'], ['robot vacuum, we have no pets', '养宠家庭'],
  ['扫地机器人 不养猫', '养宠家庭'],
])('%s does not', (sentence, value) => {
  const understood = understand(sentence)
  expect(valuesIn(understood, [...understood.prefer, ...understood.must])).not.toContain(value)
})

test.each([
  ['电热毯 双人的', '180×200cm', '80×180cm'], ['床笠 单人', '90×200cm', '180×200cm'],
  ['被套 双人', '220×240cm', '150×200cm'], ['四件套 双人', '1.8米床', '1.2米床'],
  ['拉布拉多用的狗屋', '大型犬', '小型犬'], ['dog bed for a chihuahua', 'm码10斤内', 'xxl码80斤内'],
  ['dog bed, we have a big dog', 'xl码50斤内', 'm码10斤内'], ['大狗睡的窝', 'xxl码80斤内', 's码5斤内'],
  ['边牧穿的狗衣服', '中型犬', '大型犬'], ['standing desk with two motors', '双电机电动升降', '单电机电动升降'],
])('%s means %s, and not %s', (sentence, value, other) => {
  const understood = understand(sentence)
  const values = valuesIn(understood, understood.must)
  expect(values).toContain(value)
  expect(values).not.toContain(other)
})

test.each([
  ['除湿机 房间小', 'm2', 0, 10], ['空气净化器 大客厅', 'm2', 30, 60],
  ['air purifier for a small bedroom', 'm2', 10, 20],
  ['猫粮 大袋', 'g', 5000, null], ['洗衣液 大瓶的', 'g', 3000, null],
  ['无线吸尘器 别太重', 'g', null, 1400], ['电饭煲 四口之家', 'ml', 4000, null],
  ['rice cooker for one person', 'ml', null, 1600],
])('%s asks for so many %s', (sentence, unit, low, high) => {
  const measure = understand(sentence).must.find((wish) => wish.measure?.unit === unit)?.measure
  expect([measure?.low ?? null, measure?.high ?? null]).toEqual([low, high])
})

test('refusing a trouble refuses no goods, and animals are no number of pieces', () => {
  expect(understand('机械键盘 别太吵').must_not).toEqual([])
  expect(understand('扫地机器人 两只猫').quantity).toBeNull()
})

test('what is packed in small bags is asked for by its feature', () => {
  expect(understand('小包的锅巴').must.map(({ measure }) => measure)).not.toContainEqual(
    expect.objectContaining({ unit: 'g' }))
})

test.each([['双肩包 防水的', '防泼水面料'], ['waterproof backpack', '防泼水面料']])(
  '%s is not met by what is %s, which comes first all the same', (sentence, value) => {
    const understood = understand(sentence)
    const { must, named, kinds } = understood
    const wishes = [...must, ...named]
    expect(valuesIn(understood, wishes)).not.toContain(value)
    expect(wishes.flatMap(({ weaker }) => weaker?.get(kinds[0]?.value ?? '') ?? [])
      .map(({ text }) => text)).toContain(value)
  })

test.each([['8岁男孩轮滑鞋', 30, 34], ['女儿六岁，买双舞鞋', 27, 31]])(
  'shoes that children of the age wear come first: %s', (sentence, low, high) => {
    expect(understand(sentence).prefer.map(({ measure }) => measure))
      .toContainEqual({ low, high, unit: 'shoe' })
  })
