import { describe, expect, it } from 'vitest'
import { taxonomy } from '../goods/taxonomy.ts'
import { understand } from './understand.ts'

const kindOf = (say: string): string | undefined => understand(say).kinds[0]?.value

describe('the kind of goods that is meant', () => {
  it.each([
    ['a box of chocolates for my neighbour', 'chocolate_candy'],
    ['a bottle of champagne for the wedding', 'champagne'],
  ])('is what is in the container: %s', (say, kind) => {
    expect(kindOf(say)).toBe(kind)
  })

  it.each([
    ['净水', 'water_purifier'], ['猫山王', 'durian'], ['帝澄 对开门', 'multi_door_refrigerator'],
    ['电动车 挡风', 'ebike_windshield'],
  ])('is named in part: %s', (say, kind) => {
    const { kinds, isOpen } = understand(say)
    expect(kinds[0]?.value).toBe(kind)
    expect(isOpen).toBe(false)
  })

  it.each([
    ['总预算六百,给书房和两个卧室各买一盏台灯,三盏', 'study_desk_lamp'],
    ['公司团建要人手一顶帽子，一顶三十左右', 'baseball_cap'],
  ])('is what is counted: %s', (say, kind) => {
    expect(kindOf(say)).toBe(kind)
  })

  it.each([
    ['双胞胎加老大三个娃，买三个水壶，总共240块', 'kids_water_bottle'], ['泡面想吃非油炸的', 'instant_noodles'],
    ['家里马桶裂了要换，预算顶天一千五', 'toilet'], ['家里那个插排烧了，赶紧给我弄一个', 'power_strip'],
    ['张小泉 剪刀', 'scissors'], ['捷安特 自行车', 'mountain_bike'], ['洗碗机，要热风吹干的', 'dishwasher'],
  ])('is what is bought, whatever else is told: %s', (say, kind) => {
    expect(kindOf(say)).toBe(kind)
  })

  it.each([
    ['坐火车用的颈枕', 'travel_neck_pillow'], ['26寸箱子带密码锁', 'rolling_suitcase'],
    ['手机两千五以内', 'smartphone'], ['12岁男孩生日礼物，最好不是吃的', 'building_blocks'],
  ])('is not what letters beside it make: %s', (say, kind) => {
    expect(kindOf(say)).toBe(kind)
  })

  it('of several goods is each', () => {
    const { kinds, more } = understand('酱油、醋和料酒各来一瓶')
    expect([kinds, ...more].map(([first]) => first?.value))
      .toEqual(['soy_sauce', 'vinegar', 'cooking_wine'])
    expect(understand('上班背的双肩包，放得下15.6寸的电脑').more).toEqual([])
  })

  it.each([
    ['一个人住 想囤点能放很久的吃的', [14, 15, 16, 17]], ['两岁半的娃看什么书好', [20]],
    ['公司年会我要上台唱歌主持,穿什么戴什么', [9, 10, 11]],
  ])('is of the shelves that are told: %s', (say, categories) => {
    const { kinds } = understand(say)
    expect(kinds.length).toBeGreaterThan(0)
    expect(categories).toEqual(expect.arrayContaining(kinds.map(({ value }) =>
      taxonomy().kinds.get(value)?.category_id)))
  })

  it.each([
    ['汽车 雨刮片', 'wiper_blades'], ['手机 防水', 'smartphone'],
  ])('is the whole name before a part of another: %s', (say, kind) => {
    expect(kindOf(say)).toBe(kind)
  })

  it.each([
    ['有冇細路仔用嘅牙膏', 'kids_toothpaste'], ['屋头耗子多得很，啷个办', 'mouse_trap'],
    ['裤子忒埋汰，整点洗衣液', 'liquid_laundry_detergent'],
  ])('is told in the words of a region: %s', (say, kind) => {
    expect(understand(say).kinds.map(({ value }) => value)).toContain(kind)
  })

  it.each([
    ['宝宝夜里总踢被子', 'baby_sleep_sack'], ['厨房里到处是蟑螂', 'cockroach_bait'],
    ['老公打呼噜吵得我整晚睡不着', 'anti_snore_device'],
  ])('answers what goes wrong: %s', (say, kind) => {
    const { kinds, unsold } = understand(say)
    expect(kinds[0]?.value).toBe(kind)
    expect(unsold).toBeNull()
  })

  it.each([
    ['电饭包', 'rice_cooker'], ['行旅箱', 'rolling_suitcase'], ['婴儿围篮', 'play_yard'],
    ['机诫键盘', 'mechanical_keyboard'],
  ])('is written wrong: %s', (say, kind) => {
    expect(kindOf(say)).toBe(kind)
  })

  it('is not what sounds like words of a sentence', () => {
    expect(understand('水管就剩一节').corrections).toStrictEqual([])
  })

  it('is none of what only says what the goods are for', () => {
    const { kinds, more } = understand('包饺子用：面粉、韭菜')
    expect([kinds, ...more].map(([first]) => first?.value))
      .toStrictEqual(['wheat_flour', 'chinese_chives'])
  })

  it('is seen, and not what they look at', () => {
    expect(kindOf('认准这个牌子，看冰箱')).toMatch(/refrigerator|freezer/)
  })

  it('is no gift where a journey is told', () => {
    expect(understand('去海边玩，要带点什么').kinds.map(({ value }) => value)).toContain('sunscreen_lotion')
  })
})
