/** Services, and parts that nobody sells by themselves. */
import { describe, expect, test } from 'vitest'
import { understand } from './understand.ts'

describe('a service', () => {
  test.each([
    '请人上门修一下洗衣机', '帮我买两张周杰伦演唱会的票', '阿莫西林胶囊来两盒', '想租个两室一厅的房子 三千以内', '手机屏幕碎了 上门换屏多少钱',
    '想给孩子报个英语班', '办张信用卡', 'I need a two-bedroom apartment to rent near the subway',
    'can you get me a plumber', '帮我挂个号', 'book me a dentist appointment',
    'two tickets to the Taylor Swift concert', 'do you sell antibiotics',
    '爱奇艺年卡会员', '给游戏充点点券', '代写一篇年终总结', '来条硬中华', '想买一只小柯基', '有后悔药卖吗',
    '买份旅游保险', 'a carton of cigarettes please',
  ])('is no goods, and that is told: %s', (say) => {
    const { kinds, keywords, notes } = understand(say)
    expect([kinds, keywords]).toEqual([[], []])
    expect(notes.join()).toMatch(/只卖实物商品|Only goods are sold/)
  })

  test.each([
    ['机票护照一起放的夹子', 'passport_holder'], ['打胰岛素擦皮肤的小片片,100片', 'alcohol_wipes'],
    ['租房墙上不能打孔，想买窗帘', 'window_curtain'], ['吃头孢不能喝酒,又馋那个麦味泡沫,有没有不含酒精的', 'nonalcoholic_beer'],
    ['新买的二手车缺个脚垫', 'car_floor_mat'],
    ['演唱会票在山顶，手机变焦糊成一片，要10×25小巧的', 'binoculars'],
  ])('that is only told of asks for goods: %s', (say, kind) => {
    expect(understand(say).kinds[0]?.value).toBe(kind)
  })
})

describe('goods that were shown or bought before', () => {
  test.each(['刚才第三个有黑色的吗', '第一款和第二款哪个好', '跟上一个比哪个更安静', '比上次买的那个大一号',
    'the second one in black', '你推荐的那款还有货吗'])('are asked for: %s', (say) => {
    const { kinds, earlier } = understand(say)
    expect(kinds).toEqual([])
    expect(earlier).not.toBeNull()
  })

  test.each([['上次那款猫砂还有吗', 'cat_litter'], ['上次那个奶锅，有没有再大一号的', 'milk_pan']])(
    'are asked for beside their name: %s', (say, kind) => {
      const { kinds, earlier } = understand(say)
      expect(kinds[0]?.value).toBe(kind)
      expect(earlier).not.toBeNull()
    })

  test.each([['孩子第一辆自行车', 'kids_bicycle'], ['第二件半价的洗衣液', 'liquid_laundry_detergent']])(
    'are not meant by %s', (say, kind) => {
      expect(understand(say).kinds[0]?.value).toBe(kind)
    })
})

test('a title that nobody knows is told as it stands', () => {
  const { unsold, kinds } = understand('想看《平凡的世界》这本书')
  expect(unsold?.text).toBe('平凡的世界')
  expect(kinds.length).toBeGreaterThan(0)
})

describe('a part of goods', () => {
  test.each([
    ['相机的肩带', 'mirrorless_camera'], ['拉杆箱的轮子坏了 想换个轮子', 'rolling_suitcase'],
    ['扫地机器人的边刷和滤网', 'robot_vacuum'],
    ['扫地机器人的边刷 替换的', 'robot_vacuum'], ['吸尘器滤网', 'stick_vacuum'], ['手机屏幕坏了想换屏幕', 'smartphone'],
    ['wheels for an office chair', 'office_chair'], ['strap for my camera', 'mirrorless_camera'],
  ])('that no kind stands for is not here, and what has it comes near: %s', (say, kind) => {
    const { unsold, kinds } = understand(say)
    expect(unsold).not.toBeNull()
    expect(kinds.map(({ value }) => value)).toContain(kind)
  })

  test.each([
    ['电动牙刷刷头', 'toothbrush_head'], ['手表表带', 'watch_strap'],
    ['马桶盖', 'toilet_seat'], ['电脑内胆', 'laptop_sleeve'],
    ['电饭锅内胆掉皮了，大概二百五左右换一个', 'rice_cooker'], ['泡面盖子，追剧用，十寸左右，千把块', 'tablet_computer'],
    ['旧箱子轮子掉了，想要个能登机的20寸行李箱', 'rolling_suitcase'],
  ])('that is sold, or only told of, hides no goods: %s', (say, kind) => {
    const { unsold, kinds } = understand(say)
    expect(unsold).toBeNull()
    expect(kinds[0]?.value).toBe(kind)
  })
})

test.each(['能不能买到后悔药', '可不可以请个月嫂照顾几天', '想招一名司机'])(
  'what no shop sells has no goods, however it is asked for: %s', (say) => {
    const { kinds, must_not: refused, unclear } = understand(say)
    expect([kinds, refused, unclear]).toEqual([[], [], []])
  })
