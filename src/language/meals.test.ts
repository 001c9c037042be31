import { describe, expect, test } from 'vitest'
import { rank } from '../affiliate/result/index.ts'
import { understand } from './understand.ts'

describe('a meal', () => {
  test.each([
    ['晚饭两个人想吃披萨', 'yes', ['披萨']],
    ['order a pizza', 'yes', ['披萨']],
    ['想喝杯奶茶 二十块以内', 'yes', ['奶茶']],
    ['来份麻辣烫外卖', 'yes', ['麻辣烫']],
    ['下午茶 两个人 咖啡和蛋糕', 'yes', ['咖啡', '蛋糕']],
    ['叫个黄焖鸡', 'yes', ['黄焖鸡']],
    ['饿了,想嗦粉', 'yes', ['米线']],
    ['跟朋友吃火锅', 'maybe', ['火锅']],
    ['奶茶', 'maybe', ['奶茶']],
    ['黄焖鸡米饭能送吗', 'yes', ['黄焖鸡']],
    ['中午想让人送份酸菜鱼', 'yes', ['酸菜鱼']],
    ['有没有能送过来的炸鸡', 'yes', ['炸鸡']],
  ])('%s names a dish', (sentence, meant, dishes) => {
    expect(understand(sentence).food).toMatchObject({ meant, dishes, isNamed: true })
  })

  test.each(['点外卖 三十以内', 'lunch for two under 60', '中午吃啥好', '夜宵', 'I\'m hungry'])(
    '%s names none, and popular ones are asked for', (sentence) => {
      const { food } = understand(sentence)
      expect(food).toMatchObject({ meant: 'yes', isNamed: false })
      expect(food?.dishes.length).toBeGreaterThan(1)
    })

  test.each(['四个人晚上想去吃顿烤鱼，能订吗', '周末去吃火锅', '订个位吃烤肉'])(
    'is meant by who goes out for it: %s', (sentence) => {
      expect(understand(sentence).food?.meant).toBe('yes')
    })

  test.each(['一箱方便面', '火锅底料', '咖啡豆 500g', '外卖打包盒 100个', '午餐肉 340g', '早餐机', 'lunch box for kids',
    '速冻水饺 2袋', '糖尿病人吃什么饼干', '喝什么酸奶好', '给孩子买早餐麦片', 'pizza stone', '送外卖骑的电动车',
    '晚上翻来覆去睡不着 吃点什么好', '体检说缺铁，吃点啥补'])('%s is goods', (sentence) => {
    expect(understand(sentence).food).toBeNull()
  })

  test.each(['Do you sell ready-made hot jollof rice delivered to my hotel?',
    'Pls order me a hot laksa to my door', '下班了饿，整碗热乎的过桥米线送上门', '帮我点份烤冷面送到学校门口',
    '加班呢，送碗热汤面到办公室', 'starving, send me a hot bowl of pho to my place',
    '送一份热的叉烧饭上门', 'hot meal delivered to room 302'])(
    '%s: what is cooked and brought is a meal', (sentence) => {
      expect(understand(sentence).food?.meant).toBe('yes')
    })

  test.each([['五斤苹果送上门', 'fuji_apples'], ['买袋大米送货上门', 'white_rice'],
    ['速冻水饺送上门', 'frozen_dumplings'], ['rice delivered to my door', 'white_rice'],
    ['bottled water delivered to the office', 'bottled_spring_water'],
    ['电热水壶能送到公司吗', 'electric_kettle']])('%s: goods are brought as well', (sentence, kind) => {
    const { food, kinds } = understand(sentence)
    expect([food, kinds[0]?.value]).toEqual([null, kind])
  })

  test.each(['每人送个小东西，一份30块以内', '龙井，三百到五百一份，拿去送人', '端午给客户送礼，一份一百块上下'])(
    '%s gives presents', (sentence) => {
      expect(understand(sentence).food).toBeNull()
    })

  test('who wants some of what is sold in packets orders no meal', () => {
    expect(understand('螺蛳粉来点，不要桶装的').food?.meant).not.toBe('yes')
    expect(understand('螺蛳粉给我点五份，').food?.meant).toBe('yes')
  })

  test('for two prefers what serves two', () => {
    expect(understand('晚饭两个人想吃披萨').prefer.flatMap(({ anyOf }) => anyOf)).toContain('双人')
  })

  test('without a dish, or without any offer, is never silent', () => {
    const answer = (sentence: string) => rank(understand(sentence), [], { pageSize: 8,
      buy: () => ({ tool: null, arguments: {}, purchase_url: null }) })
    expect(answer('点外卖 三十以内').relaxed.join()).toMatch(/cps_food_convert/)
    expect(answer('点外卖 三十以内').clarify[0]).toMatch(/^想吃什么/)
    expect(answer('想吃披萨').relaxed.join()).toMatch(/没有找到“披萨”.*cps_food_convert/)
    expect(answer('order a pizza').relaxed.join()).toMatch(/No meal coupon for "披萨"/)
    expect(answer('跟朋友吃火锅').clarify[0]).toMatch(/外卖.*食材/)
  })
})

describe('a place to eat, or a coupon for a dish', () => {
  test.each([['肯德基的代金券有没有', '炸鸡'], ['星巴克券', '咖啡'], ['喜茶来两杯，少糖', '奶茶'],
    ['any deals at McDonald\'s?', '汉堡'],
    ['两个人吃火锅，团购券', '火锅'], ['晚上加班，帮我叫份盒饭', '便当'], ['工作餐订五份，每份25', '便当']])(
    'is asked of the meal source: %s', (sentence, dish) => {
      const { food } = understand(sentence)
      expect(food?.meant).toBe('yes')
      expect(food?.dishes).toContain(dish)
    })

  test.each(['懒得点外卖，来份加热就能吃的酸菜鱼', '晚上加班饿了，想来点能马上吃的', '老人好几天没大便了，吃啥能通', '头盔 全罩式的 送外送戴'])(
    'is not meant: %s', (sentence) => {
      expect(understand(sentence).food).toBe(null)
    })

  test.each(['星巴克马克杯', '瑞幸的咖啡豆', '汉堡胚买两袋', '买包火锅底料'])('sells goods as well: %s', (sentence) => {
    expect(understand(sentence).food?.meant).not.toBe('yes')
  })
})
