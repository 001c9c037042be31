import { describe, expect, test } from 'vitest'
import {
  actualReading, allSentences, expectedReading,
} from '../../loadtest/evaluations/sentences/expected.ts'
import { understand } from './understand.ts'

describe('the frozen set', () => {
  test('holds every sentence once, and a third was written before the rules', () => {
    expect(new Set(allSentences.map(({ say }) => say)).size).toBe(allSentences.length)
    expect(allSentences.length).toBeGreaterThanOrEqual(170)
  })

  for (const expected of allSentences) {
    // A known gap goes red when it is closed.
    const run = expected.known ? test.fails : test
    run(`understands ${expected.say}`, () => {
      expect(actualReading(understand(expected.say), expected)).toEqual(expectedReading(expected))
    })
  }
})

describe('what is needed weighs against what is named', () => {
  test.each([
    ['入耳耳机的硅胶套丢了 想配几对', 'ear_tips'],
    ['吉他的弦断了 想换一套', 'guitar_strings'],
    ['拖把布头烂了 换个新的布头', 'mop_head'],
    ['娃睡觉老踢被子，有啥能穿着睡的', 'baby_sleep_sack'],
    ['手机老是没电，出门带个能充的', 'power_bank'],
    ['给八十岁的奶奶买个手机，字大声音响', 'senior_phone'],
    ['Find a 20-inch carry-on suitcase with a TSA lock.', 'rolling_suitcase'],
    ['儿童袜子 要最便宜的那种', 'kids_socks'],
    ['手机壳 透明', 'phone_case'],
  ])('%s', (sentence, kind) => {
    expect(understand(sentence).kinds[0]?.value).toBe(kind)
  })
})

describe('how an answer is wanted says nothing of the goods', () => {
  test.each(['加湿器，请用英文告诉我理由', '帮我挑个加湿器，讲讲为什么选它', 'a humidifier, and tell me why in english',
    'recommend a humidifier with reasons'])('%s', (sentence) => {
    const { kinds, must, unclear } = understand(sentence)
    expect(kinds[0]?.value).toBe('room_humidifier')
    expect([...must, ...unclear]).toEqual([])
  })
})

describe('explicit parameters', () => {
  test('win over the sentence, and the difference is told', () => {
    const { budget, mode, notes } = understand('最便宜的手机 2000以内',
      { budget_max: 150_000, mode: 'quality' })
    expect(budget).toMatchObject({ min: null, max: 150_000, kind: 'hard', from: 'parameters' })
    expect(mode).toMatchObject({ value: 'quality', from: 'parameters' })
    expect(notes).toEqual([
      '句子说的是¥2000.00，budget_max 是¥1500.00，按 budget_max。',
      '句子要的是 cheapest，参数是 quality，按参数。',
    ])
  })

  test('that agree with the sentence are no conflict', () => {
    const { notes } = understand('最便宜的手机 2000以内', { budget_max: 200_000, mode: 'cheapest' })
    expect(notes).toEqual([])
  })

  test('complete a bound that the sentence leaves open', () => {
    const { budget, notes } = understand('手机 2000以内', { budget_min: 100_000 })
    expect(budget).toMatchObject({ min: 100_000, max: 200_000, from: 'both' })
    expect(notes).toEqual([])
  })

  test('drop a bound of the sentence that contradicts them', () => {
    expect(understand('3000以上的手机', { budget_max: 200_000 }).budget)
      .toMatchObject({ min: null, max: 200_000, from: 'parameters' })
  })

  test('replace an approximate budget as a whole', () => {
    expect(understand('300左右的机械键盘', { budget_max: 50_000 }).budget)
      .toMatchObject({ min: null, max: 50_000, kind: 'hard' })
  })
})

describe('what is told', () => {
  test('an amount in another currency is converted, and the rate is said', () => {
    const { budget, notes } = understand('kettle under $50')
    expect(budget).toMatchObject({ min: null, max: 35_500, kind: 'hard' })
    expect(budget?.spans).toEqual([{ start: 7, end: 16, text: 'under $50' }])
    expect(notes).toEqual(['Converted at 1 US dollar ≈ CNY 7.1.'])
  })

  test('of two budgets the later is used, and this is said', () => {
    const { budget, notes } = understand('预算500，不对，预算300 机械键盘')
    expect(budget?.max).toBe(30_000)
    expect(notes).toEqual(['句子里有多个预算，按最后一个。'])
  })

  test('more than 200 characters are cut, and this is said', () => {
    const { sentence, notes } = understand('手机'.repeat(150))
    expect([...sentence]).toHaveLength(200)
    expect(notes).toEqual(['只读了前 200 个字符。'])
  })

  test('every part says where it stands in the sentence as it was given', () => {
    const given = '預算３００元以內 ＩＰＸ７防水 藍牙音箱'
    const { budget, must, keywords } = understand(given)
    expect(budget?.spans.map(({ text }) => text)).toEqual(['預算３００元以內'])
    expect(must.map(({ text }) => text)).toEqual(['ＩＰＸ７防水'])
    expect(keywords).toEqual([{
      start: 16, end: 20, text: '藍牙音箱', folded: '蓝牙音箱', role: 'kind', isHead: true,
    }])
    for (const { start, end, text } of [...must, ...keywords]) {
      expect(given.slice(start, end)).toBe(text)
    }
  })

  test('measures are the same in every unit', () => {
    const measures = ['1.7升', '1700ml', '1.7L'].map((size) =>
      understand(`电热水壶 ${size}`).must[0]?.measure)
    const litres = { low: 1700, high: 1700, unit: 'ml' }
    expect(measures).toEqual([litres, litres, litres])
    expect(understand('充电宝 至少2万毫安').must[0]?.measure)
      .toEqual({ low: 20_000, high: null, unit: 'mah' })
  })

  test('goods that several kinds are called by are left open, with their category', () => {
    const { kind, kinds, category } = understand('水杯')
    expect(kind).toBeNull()
    expect(kinds.map(({ value }) => value))
      .toEqual(expect.arrayContaining(['drinking_glass', 'vacuum_flask', 'water_bottle']))
    expect(category?.value).toBe(6)
  })
})

test.each([
  ['哺语家的婴儿奶粉', '哺语家'], ['镜隼牌的机油', '镜隼牌'], ['机油 镜隼牌', '镜隼牌'],
])('%s names the brand', (say, brand) => {
  expect(understand(say).keywords.find(({ role }) => role === 'brand')?.text).toBe(brand)
})

test.each([
  ['加湿器，请用英文说明', 'en'], ['保温杯。 Please write the reasons in English.', 'en'],
  ['加湿器', 'zh'], ['a kettle, answer in Chinese please', 'zh'], ['a kettle', 'en'],
])('%s is answered in %s', (sentence, language) => {
  expect(understand(sentence).language).toBe(language)
})

test.each([
  ['reading glasses +2.5', 'degree', 250], ['75度酒精 消毒用', 'percent', 75],
])('%s is understood in the unit of such goods', (sentence, unit, value) => {
  expect(understand(sentence).must.map(({ measure }) => measure))
    .toContainEqual({ unit, low: value, high: value })
})

test('how many are to be shown is no wish', () => {
  expect(understand('加湿器三款').must).toStrictEqual([])
})

test.each([
  '加湿器价格越低越好', '行李箱，越省钱越好', '哪種挂钟最平', '跳绳 最低价格', '茶杯按价格从低到高', '雨衣怎么便宜怎么来',
  '玻璃水哪个最不贵', '玻璃水价格最亲民的', '玻璃水捡便宜的来', 'dirt cheap washer fluid',
  'lowest priced humidifier', 'wall clock as cheap as possible', 'suitcase, cheapest first',
  'jump rope, the cheaper the better', 'raincoat sorted by price, low to high',
])('%s asks for the cheapest, and for nothing else', (say) => {
  const { mode, keywords, unsold } = understand(say)
  expect(mode?.value).toBe('cheapest')
  expect(keywords.every(({ role }) => role === 'kind')).toBe(true)
  expect(unsold).toBe(null)
})

test('a scent that goods have is no slip for another name', () => {
  expect(understand('晨露香 亮晶堂Liangjet 衣物柔顺剂').kinds[0]?.value).toBe('fabric_softener')
})

test('a brand alone is no need', () => {
  expect(understand('绪安里 Xuanlee').kinds).toEqual([])
})
