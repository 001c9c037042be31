/** Short searches: what stands beside a noun, whom it is for, in pinyin, of a brand. */
import { expect, test } from 'vitest'
import { readFacts } from './facts.ts'
import { planOf } from './fit.ts'
import { understand } from './understand.ts'

const wishesOf = (say: string): string[] => planOf(understand(say)).slots.map(({ name }) => name)
const firstKind = (say: string): string | undefined => understand(say).kinds[0]?.value
const valuesOf = (say: string): string[] => understand(say).must.flatMap(({ values }) =>
  [...values?.values() ?? []].flat().map(({ text }) => text))

test.each([
  ['nan shoubiao', '男', 'quartz_watch'], ['yurongfu nv', '女', 'down_jacket'],
  ['heise chenshan nan', '黑色', 'mens_dress_shirt'], ['yusan lan', '蓝色', 'folding_umbrella'],
])('%s is spelt: %s of %s', (say, said, kind) => {
  const { corrections } = understand(say)
  expect(corrections.map(({ to }) => to).join('')).toContain(said)
  expect(firstKind(say)).toBe(kind)
})

test.each(['red dress women', 'running shoes', 'da vinci puzzle'])('%s is no pinyin', (say) => {
  expect(understand(say).corrections).toEqual([])
})

test.each([['露营凳', 'folding_camp_chair'], ['跑步鸡', 'treadmill']])(
  '%s is read as it is meant', (say, kind) => {
    expect(firstKind(say)).toBe(kind)
  })

test.each([
  ['网球袜', 'everyday_socks'], ['给他买两双羽毛球袜', 'everyday_socks'], ['马术帽', 'baseball_cap'],
])('a word before a noun that names a class, %s, is told beside the goods', (say, kind) => {
  const { kinds, prefer, corrections } = understand(say)
  expect(kinds.map(({ value }) => value)).toContain(kind)
  expect(prefer.map(({ text }) => text).join()).toMatch(/网球|羽毛球|马术/)
  expect(corrections).toEqual([])
})

test.each([['短裤 男', 'shorts'], ['帽子 女', 'bucket_hat'], ['外套 男', 'jacket']])(
  'whom %s are for is no part of them', (say, kind) => {
    const { kinds, more, must } = understand(say)
    expect(kinds[0]?.value).toBe(kind)
    expect(more).toEqual([])
    expect(must.map(({ text }) => text)).toEqual([say.slice(-1)])
  })

test.each([
  ['蓝色的雨伞', ['藏青']], ['伞 紫色', ['香芋紫']],
  ['暗红色 口红', ['复古红']], ['酒红色 唇釉', []],
])('the colour of %s is a value of that colour, or none', (say, values) => {
  expect(valuesOf(say)).toEqual(values)
})

test.each([
  ['燕京啤酒', '燕京'], ['燕京 啤酒', '燕京'], ['啤酒 雪花', '雪花'], ['大宝 洗面奶', '大宝'],
  ['统一 方便面', '统一'], ['真维斯t恤', '真维斯'],
  ['要一台佳能R6相机', '佳能'], ['华为Mate手机有货吗', '华为'],
])('%s names a brand that is not sold here', (say, brand) => {
  expect(planOf(understand(say)).missingBrands).toEqual([brand])
})

test.each(['iphone 充电线', 'ipad case', 'airpods保护套', 'iphone charger'])(
  '%s says what it fits, and no maker', (say) => {
    expect(planOf(understand(say)).missingBrands).toEqual([])
  })

test.each(['雪花图案 毛衣', '鳄鱼 玩具', '中华 田园猫 猫粮', '大宝 玩具', '蝴蝶 发夹'])(
  '%s names no brand', (say) => {
    expect(planOf(understand(say)).missingBrands).toEqual([])
  })

test.each(["cat litter that doesn't smell", "a mascara that won't smudge"])(
  '%s has no slip', (say) => {
    expect(understand(say).corrections).toEqual([])
  })

test('large sizes of bras are those of wide bands', () => {
  expect(understand('胸罩 大码').must[0]?.measure).toMatchObject({ low: 850, unit: 'cup' })
  expect(firstKind('大码的文胸')).toBe('womens_bra')
  expect(understand('大码卫衣').must[0]?.measure).toMatchObject({ unit: 'letter' })
})

test('of goods that tell an age, those for babies are for less than three years', () => {
  const slots = planOf(understand('防晒霜 婴儿')).slots.filter(({ kind }) => kind === 'age')
  const facts = (low: number, high: number) => ({ values: new Map([['month', [{ low, high }]]]) })
  const stateOf = (low: number, high: number) => slots[0]?.state(
    facts(low, high) as unknown as Parameters<typeof slots[0]['state']>[0], 'baby_sunscreen')
  expect(stateOf(36, 144)).toBe('against')
  expect(stateOf(6, Infinity)).toBe('met')
  expect(wishesOf('防晒霜 成人')).not.toContain('婴儿')
})

test.each([
  ['线裤 男', 'padded_trousers'], ['棉毛裤', 'padded_trousers'], ['秋衣', 'thermal_underwear'],
  ['幼犬 奶糕', 'dog_food'], ['奶糕', 'baby_rice_cereal'], ['耍娃的车', 'baby_stroller'],
  ['旗袍裙', 'cheongsam'], ['芭蕾舞裙', 'dance_wear'], ['老人拖鞋', 'cotton_slippers'], ['夜钓灯', 'headlamp'],
])('%s is another name of %s', (say, kind) => {
  expect(firstKind(say)).toBe(kind)
})

test('what a name says of its use is liked', () => {
  expect(planOf(understand('运动袜')).prefer.map(({ anyOf }) => anyOf)).toContainEqual(['运动'])
})

test('what is for both is told as what was asked for', () => {
  const quiet = planOf(understand('书包 女')).slots.filter(({ isSoft }) => isSoft)
  expect(quiet.map(({ name }) => name)).toEqual(['女'])
})

test.each([['婴儿面霜', '面霜'], ['幼猫 奶粉', '幼年']])('%s says a value: %s', (say, value) => {
  const said = understand(say).named.flatMap(({ values }) => [...values?.values() ?? []].flat())
  expect(said.map(({ text }) => text)).toContain(value)
})

test('what is spelt may be said in some places only', () => {
  expect(firstKind('danche ertong')).toBe('kids_bicycle')
})

test('a brand that begins with a numeral counts nothing', () => {
  expect(understand('百岁山').budget).toBeNull()
  expect(planOf(understand('百岁山 水')).missingBrands).toEqual(['百岁山'])
  expect(understand('三元 酸奶').budget).toBeNull()
  expect(understand('三元的酸奶').budget?.max).toBeGreaterThan(0)
})

test('nearer sizes of what is worn come first, and a month is no sum that is taken off', () => {
  const plan = planOf(understand('size 46 winter boots for men'))
  const nearness = [45, 44, 42].map((size) => plan.slots.flatMap((slot) => slot.nearness?.(
    readFacts({ title: `行朔 雪地靴 男款 ${size}码`, brand: null, category: null })) ?? []))
  expect(nearness).toEqual([[3 / 4], [3 / 5], [3 / 7]])
  expect(understand('娃刚满9个月，玩具').must.map(({ measure }) => measure))
    .toContainEqual({ low: 9, high: 9, unit: 'month' })
})

test.each([['面霜 敏感肌 不要 香精', '香精'], ['T恤 男 不要 黑色', '黑色']])(
  'between spaces a refusal refuses what follows: %s', (say, refused) => {
    expect(understand(say).must_not.map(({ text }) => text).join()).toContain(refused)
  })

test.each([['奶瓶和奶嘴', ['baby_bottle', 'bottle_nipple']], ['瑜伽垫 厚一点', ['yoga_mat']]])(
  '%s is read as it is meant', (say, kinds) => {
    const { kinds: [first], more } = understand(say)
    expect([first?.value, ...more.map(([one]) => one?.value)]).toEqual(kinds)
  })
